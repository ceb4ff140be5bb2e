//! A run in words: what happened, and a table of figures.

use std::collections::BTreeMap;
use std::fmt::Write;
use warband::scenario::{Entry, Figures, ProblemEntry, Report, Run, Unanswered};

/// With more lines than this the middle of a story is left out.
const LINES: usize = 60;

pub fn tell(run: &Run, report: &Report) -> String {
    let mut text = head(run, report);
    let lines = lines(&report.events, &mut Repeats::default());
    let cut = lines.len().saturating_sub(LINES);
    for (at, line) in lines.iter().enumerate() {
        if cut > 0 && at == LINES / 2 {
            let _ = writeln!(text, "           … {cut} more (all of them with --json)");
        }
        if !(LINES / 2..LINES / 2 + cut).contains(&at) {
            let _ = writeln!(text, "{line}");
        }
    }
    text.push('\n');
    text.push_str(&table(report));
    text
}

fn head(run: &Run, report: &Report) -> String {
    let scenario = run.scenario();
    let about = if scenario.about.is_empty() { String::new() } else { format!(": {}", scenario.about) };
    format!("{}{about}\n\n", report.scenario)
}

/// Who said or asked for what, and when last: what is repeated within a second is one line.
#[derive(Default)]
pub struct Repeats(BTreeMap<[Option<String>; 3], f64>);

impl Repeats {
    fn is_new(&mut self, entry: &Entry) -> bool {
        if !matches!(entry.kind, "said" | "command") {
            return true;
        }
        let what = [entry.agent.clone(), entry.text.clone(), entry.name.clone()];
        self.0.insert(what, entry.t).is_none_or(|last| entry.t - last > 1.0)
    }
}

/// What happened, one line for all members of a squad to whom the same happened in the same tick.
pub fn lines(events: &[Entry], repeats: &mut Repeats) -> Vec<String> {
    let mut groups: Vec<Vec<Entry>> = Vec::new();
    for entry in events.iter().filter(|entry| repeats.is_new(entry)) {
        // Who says several things in a tick stands between those who say the same.
        let reach = if entry.kind == "said" { usize::MAX } else { 1 };
        let tick = groups.iter_mut().rev().take(reach).take_while(|group| group[0].t == entry.t);
        match tick.into_iter().find(|group| alike(&group[0], entry)) {
            Some(group) => group.push(entry.clone()),
            None => groups.push(vec![entry.clone()]),
        }
    }
    groups.iter().map(|group| format!("{:8.2} s  {}", group[0].t, together(group))).collect()
}

fn alike(a: &Entry, b: &Entry) -> bool {
    let facts =
        |entry: &Entry| (entry.t, entry.kind, entry.squad.clone(), entry.from.clone(), entry.to.clone());
    let words = |entry: &Entry| (entry.text.clone(), entry.name.clone(), entry.success);
    facts(a) == facts(b)
        && words(a) == words(b)
        && a.agent.is_some() == b.agent.is_some()
        && a.target == b.target
}

/// One or several entries that are alike, as a sentence.
pub fn together(entries: &[Entry]) -> String {
    let (first, count) = (&entries[0], entries.len());
    if count == 1 || first.agent.is_none() {
        return first.to_string();
    }
    let keys: Vec<_> =
        entries.iter().filter_map(|entry| entry.agent.as_deref()?.rsplit('/').next()).collect();
    let squad = first.squad.as_deref().unwrap_or_default();
    let whole = first.to_string();
    let what = whole.split_once(' ').map_or("", |(_, what)| what);
    let who = if count > 4 { format!("{count} of {squad}") } else { format!("{squad}/{}", keys.join(", ")) };
    let plural = match what.split_once(' ') {
        Some(("goes", rest)) => format!("go {rest}"),
        Some(("starts", rest)) => format!("start {rest}"),
        Some(("says:", rest)) => format!("say: {rest}"),
        Some(("is", rest)) => format!("are {rest}"),
        Some(("asks", rest)) => format!("ask {rest}"),
        _ => what.to_owned(),
    };
    format!("{who} {plural}")
}

pub fn problem(problem: &ProblemEntry) -> String {
    let who = problem.agent.as_ref().map_or(String::new(), |agent| format!(" [{agent}]"));
    let times = if problem.times > 1 { format!(" [{} times]", problem.times) } else { String::new() };
    format!("{}{who}{times}", problem.text)
}

fn table(report: &Report) -> String {
    let mut text = String::new();
    let mut row = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<38}{value}");
    };
    row("agents", format!("{}", report.agents));
    row("ticks", format!("{} ({:.2} s in {:.0} ms)", report.ticks, report.seconds, report.wall_ms));
    figures(&report.figures, &mut row);
    if let Some(open) = unanswered(report) {
        row("never answered", open);
    }
    row("problems", format!("{}", report.problems.len()));
    row("seed, digest", format!("{}, {}", report.seed, report.digest));
    text
}

/// The commands that wait for answers at the end: each name with who waits, and since when the first one does.
fn unanswered(report: &Report) -> Option<String> {
    let mut names: BTreeMap<&str, Vec<&Unanswered>> = BTreeMap::new();
    report.unanswered.iter().for_each(|open| names.entry(&open.name).or_default().push(open));
    let one = |(name, open): (&&str, &Vec<&Unanswered>)| {
        let more = if open.len() > 1 { format!(" and {} more", open.len() - 1) } else { String::new() };
        format!("{name} ({}{more}, since {:.2} s)", open[0].agent, open[0].since)
    };
    let told = names.iter().map(one).collect::<Vec<_>>().join(", ");
    (!told.is_empty()).then_some(told)
}

/// To two digits behind the point, so that nothing is printed as -0.00.
fn hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0 + 0.0
}

fn figures(figures: &Figures, row: &mut impl FnMut(&str, String)) {
    if let Some(gap) = figures.min_gap_m {
        row(
            "smallest gap between bodies",
            format!("{:.2} m at the end, {:.2} m at worst", hundredths(gap.end), hundredths(gap.worst)),
        );
    }
    let overlap = figures.overlap_m;
    row("deepest overlap", format!("{:.2} m at the end, {:.2} m at worst", overlap.end, overlap.worst));
    let angle = figures.largest_empty_angle_deg;
    if let Some(end) = angle.end {
        let best = angle
            .best_before_direct
            .map_or(String::new(), |best| format!(", {best:.0}° at best before anyone is direct"));
        row("largest empty angle round the target", format!("{end:.0}° at the end{best}"));
    }
    if let Some(distance) = figures.distance_to_target_m {
        let (min, mean, max) =
            (hundredths(distance.min), hundredths(distance.mean), hundredths(distance.max));
        row("distance to the target at the end", format!("{min:.2} m to {max:.2} m, {mean:.2} m on average"));
    }
    if let Some(walked) = figures.walked_m {
        let (min, mean, max) = (walked.min, walked.mean, walked.max);
        row("walked", format!("{min:.1} m to {max:.1} m, {mean:.1} m on average"));
    }
    row("mean speed", format!("{:.2} m/s", figures.mean_speed));
    let ms = figures.stage_ms;
    let all = ms.sense + ms.think + ms.steer + ms.act;
    let stages =
        format!("sense {:.3}, think {:.3}, steer {:.3}, act {:.3}", ms.sense, ms.think, ms.steer, ms.act);
    row("mean tick", format!("{all:.3} ms ({stages})"));
}

#[cfg(test)]
mod tests {
    use super::hundredths;

    #[test]
    fn nothing_is_printed_as_minus_zero() {
        for (number, text) in [(-0.0, "0.00"), (-0.004, "0.00"), (-0.006, "-0.01"), (2.345_6, "2.35")] {
            assert_eq!(format!("{:.2}", hundredths(number)), text);
        }
    }
}
