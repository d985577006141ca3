//! Bar charts and plots of measurements, as SVG documents. Of lariat's own data this crate knows
//! nothing.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::series::LineSeries;
use plotters::style::text_anchor::{HPos, Pos, VPos};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Height of a document, and its width unless there are many groups.
const HEIGHT: u32 = 480;
const WIDTH: u32 = 960;
const FONT: &str = "sans-serif";
const SIZE: u32 = 13;
/// Width of a letter and height of a line, roughly: the reader's browser chooses the font.
const LETTER: u32 = 7;
const LINE: i32 = 15;
/// Left of a chart: the numbers and what they count.
const LEFT: u32 = 80;
const MARGIN: u32 = 10;
/// Below a chart: at most three lines for the name of a group.
const BELOW: u32 = 60;

/// A colour for each series; they differ in brightness, too.
const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 90, 181),
    RGBColor(220, 50, 32),
    RGBColor(26, 133, 60),
    RGBColor(254, 176, 40),
    RGBColor(93, 58, 155),
    RGBColor(60, 60, 60),
    RGBColor(64, 176, 196),
    RGBColor(170, 100, 60),
];

fn colour(series: usize) -> RGBColor {
    COLOURS[series % COLOURS.len()]
}

/// Bars side by side in groups.
pub struct Bars {
    /// Above the chart.
    pub title: String,
    /// What is measured.
    pub unit: String,
    /// What the bars of a group are, from left to right.
    pub series: Vec<String>,
    /// The name of each group, and a value for each series, if there is one.
    pub groups: Vec<(String, Vec<Option<f64>>)>,
}

/// Points, or lines through them.
pub struct Points {
    /// Above the plot.
    pub title: String,
    /// What is measured from left to right, and upwards.
    pub axes: (String, String),
    /// Both axes in powers of ten; values below 1 are shown at 1.
    pub is_logarithmic: bool,
    /// Whether the points of a series are joined.
    pub has_lines: bool,
    /// A name and its points.
    pub series: Vec<(String, Vec<(f64, f64)>)>,
}

/// A document with all bars.
///
/// # Errors
/// What the library that draws says; it writes to memory only.
pub fn bars(bars: &Bars) -> Result<String, String> {
    let legend = legend_width(&bars.series);
    // Every bar can be seen, and every name has some letters on a line.
    let group = (8 * (bars.series.len() as u32 + 1)).max(9 * LETTER);
    let width = WIDTH.max(LEFT + 2 * MARGIN + legend + group * bars.groups.len() as u32);
    document(width, |area| {
        let (chart, right) = area.split_horizontally(width - legend);
        draw_bars(bars, &chart)?;
        draw_legend(&bars.series, &right)
    })
}

/// A document with all points.
///
/// # Errors
/// As [`bars`].
pub fn points(points: &Points) -> Result<String, String> {
    let names: Vec<String> = points.series.iter().map(|(name, _)| name.clone()).collect();
    document(WIDTH, |area| {
        let (chart, right) = area.split_horizontally(WIDTH - legend_width(&names));
        draw_points(points, &chart)?;
        draw_legend(&names, &right)
    })
}

fn document(width: u32, draw: impl FnOnce(&Area<'_>) -> Drawn) -> Result<String, String> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (width, HEIGHT)).into_drawing_area();
        let drawn = area.fill(&WHITE).map_err(Into::into).and_then(|()| draw(&area));
        drawn.and_then(|()| Ok(area.present()?)).map_err(|error| error.to_string())?;
    }
    Ok(text)
}

fn draw_bars(bars: &Bars, area: &Area<'_>) -> Drawn {
    let values = bars.groups.iter().flat_map(|(_, values)| values).flatten();
    let top = values.fold(0.0, |most: f64, &value| most.max(value)).max(f64::MIN_POSITIVE);
    // A group has one place more than series, so that there is room between groups.
    let wide = bars.series.len() as f64 + 1.0;
    let mut chart = ChartBuilder::on(area)
        .caption(&bars.title, (FONT, 18))
        .margin(MARGIN)
        .x_label_area_size(BELOW)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(0.0..bars.groups.len() as f64, 0.0..top * 1.05)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(0)
        .max_light_lines(0)
        .y_desc(&bars.unit)
        .label_style((FONT, SIZE))
        .draw()?;
    for series in 0..bars.series.len() {
        let fill = colour(series).filled();
        chart.draw_series(bars.groups.iter().enumerate().filter_map(|(group, (_, values))| {
            let value = values.get(series).copied().flatten()?;
            let left = group as f64 + (series as f64 + 0.5) / wide;
            Some(Rectangle::new([(left, 0.0), (left + 0.9 / wide, value)], fill))
        }))?;
    }
    let std::ops::Range { start: from, end: to } = chart.plotting_area().get_x_axis_pixel_range();
    let below = chart.plotting_area().get_y_axis_pixel_range().end + 8;
    let group_width = f64::from(to - from) / bars.groups.len().max(1) as f64;
    let letters = group_width as usize / LETTER as usize;
    let style = (FONT, SIZE).into_text_style(area).pos(Pos::new(HPos::Center, VPos::Top));
    for (group, (name, _)) in bars.groups.iter().enumerate() {
        let middle = from + ((group as f64 + 0.5) * group_width) as i32;
        for (line, text) in wrapped(name, letters, 3).iter().enumerate() {
            area.draw_text(text, &style, (middle, below + LINE * line as i32))?;
        }
    }
    Ok(())
}

/// At most `most` lines of so many letters, broken at spaces where there are any. What has no room is
/// left out, and three dots say so.
fn wrapped(text: &str, letters: usize, most: usize) -> Vec<String> {
    let letters = letters.max(2);
    let mut lines: Vec<String> = vec![String::new()];
    let mut add = |word: &[char]| {
        let last = lines.last_mut().expect("there is one");
        let (length, word) = (last.chars().count(), word.iter().collect::<String>());
        match length {
            0 => *last = word,
            length if length + 1 + word.chars().count() <= letters => *last += &format!(" {word}"),
            _ => lines.push(word),
        }
    };
    for word in text.split_whitespace() {
        let word: Vec<char> = word.chars().collect();
        word.chunks(letters).for_each(&mut add);
    }
    if lines.len() > most {
        lines.truncate(most);
        let kept = lines[most - 1].chars().take(letters - 1).collect::<String>();
        lines[most - 1] = kept + "…";
    }
    lines
}

fn draw_points(points: &Points, area: &Area<'_>) -> Drawn {
    let placed = |value: f64| match points.is_logarithmic {
        true => value.max(1.0).log10(),
        false => value,
    };
    let range = |of: fn(&(f64, f64)) -> f64| {
        let all = points.series.iter().flat_map(|(_, points)| points).map(of).map(placed);
        let (least, most) = all.fold((f64::MAX, f64::MIN_POSITIVE), |(least, most), value| {
            (least.min(value), most.max(value))
        });
        match points.is_logarithmic {
            // Whole powers of ten.
            true => least.min(most).floor()..most.ceil().max(1.0),
            false => 0.0..most * 1.05,
        }
    };
    let (x, y) = (range(|point| point.0), range(|point| point.1));
    let labels = |range: &std::ops::Range<f64>| match points.is_logarithmic {
        true => (range.end - range.start) as usize + 1,
        false => 10,
    };
    let (x_labels, y_labels) = (labels(&x), labels(&y));
    let mut chart = ChartBuilder::on(area)
        .caption(&points.title, (FONT, 18))
        .margin(MARGIN)
        .x_label_area_size(44)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(x, y)?;
    let shown = |value: &f64| match points.is_logarithmic {
        true if value.fract() == 0.0 => format!("10^{value}"),
        true => String::new(),
        false => format!("{value}"),
    };
    chart
        .configure_mesh()
        .max_light_lines(0)
        .x_labels(x_labels)
        .y_labels(y_labels)
        .x_label_formatter(&shown)
        .y_label_formatter(&shown)
        .x_desc(&points.axes.0)
        .y_desc(&points.axes.1)
        .label_style((FONT, SIZE))
        .draw()?;
    for (series, (_, its)) in points.series.iter().enumerate() {
        let colour = colour(series);
        let at: Vec<(f64, f64)> = its.iter().map(|&(x, y)| (placed(x), placed(y))).collect();
        if points.has_lines {
            chart.draw_series(LineSeries::new(at.clone(), colour.stroke_width(2)))?;
        }
        chart.draw_series(at.into_iter().map(|at| Circle::new(at, 3, colour.filled())))?;
    }
    Ok(())
}

/// Room for a patch of colour and the longest name.
fn legend_width(names: &[String]) -> u32 {
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) as u32;
    longest * LETTER + 2 * MARGIN + 20
}

/// The names of the series beside the chart, where they cover nothing.
fn draw_legend(names: &[String], area: &Area<'_>) -> Drawn {
    let style = (FONT, SIZE).into_text_style(area).pos(Pos::new(HPos::Left, VPos::Center));
    for (series, name) in names.iter().enumerate() {
        let y = 50 + (LINE + 5) * series as i32;
        area.draw(&Rectangle::new([(4, y - 5), (16, y + 5)], colour(series).filled()))?;
        area.draw_text(name, &style, (22, y))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_for_each_value_and_a_name_for_each_series() {
        let text = bars(&Bars {
            title: "tall & small".to_owned(),
            unit: "transitions".to_owned(),
            series: vec!["one".to_owned(), "two".to_owned()],
            groups: vec![
                ("first".to_owned(), vec![Some(1.0), Some(2.0)]),
                ("second".to_owned(), vec![None, Some(4.0)]),
            ],
        })
        .expect("a document");
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"));
        for name in ["one", "two", "first", "second", "tall &amp; small", "transitions"] {
            assert!(text.contains(name), "{name}");
        }
        let bars_of = |series: usize| {
            let RGBColor(r, g, b) = colour(series);
            text.matches(&format!("#{r:02X}{g:02X}{b:02X}")).count()
        };
        // One more of each in the legend.
        assert_eq!((bars_of(0), bars_of(1)), (2, 3));
    }

    #[test]
    fn points_on_both_scales() {
        for is_logarithmic in [false, true] {
            let text = points(&Points {
                title: "time".to_owned(),
                axes: ("successors".to_owned(), "seconds".to_owned()),
                is_logarithmic,
                has_lines: true,
                series: vec![("hpy".to_owned(), vec![(1.0, 2.0), (1000.0, 0.5), (40.0, 3.0)])],
            })
            .expect("a document");
            assert_eq!(text.matches("<circle").count(), 3);
            assert_eq!(text.matches("10^").count() > 0, is_logarithmic);
        }
    }

    #[test]
    fn long_names_are_broken_and_cut() {
        assert_eq!(wrapped("Tarjan +ds", 12, 3), ["Tarjan +ds"]);
        assert_eq!(wrapped("Dijkstra −cs −ds", 12, 3), ["Dijkstra −cs", "−ds"]);
        assert_eq!(wrapped("abcdefgh", 3, 3), ["abc", "def", "gh"]);
        assert_eq!(wrapped("[] (a -> <> b) && c", 5, 2), ["[] (a", "-> <…"]);
    }

    /// Nothing is drawn to the right of the document.
    #[test]
    fn a_document_grows_with_its_groups() {
        let group = |at: usize| (format!("property {at}"), vec![Some(1.0); 15]);
        let series = (0..15).map(|at| format!("check {at}")).collect();
        let [title, unit] = ["many", "percent"].map(str::to_owned);
        let text = bars(&Bars { title, unit, series, groups: (0..40).map(group).collect() });
        let text = text.expect("a document");
        let width: u32 = text.split('"').nth(1).and_then(|w| w.parse().ok()).expect("a width");
        assert!(width > 40 * 16 * 8, "{width}");
        let rectangles = text.split("<rect ").skip(1).filter_map(|rect| {
            let of = |name: &str| {
                let value = rect.split(name).nth(1)?.split('"').next()?;
                value.parse::<u32>().ok()
            };
            Some(of("x=\"")? + of("width=\"")?)
        });
        assert!(rectangles.max().is_some_and(|right| right <= width));
    }
}
