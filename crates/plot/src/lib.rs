//! Bar charts and plots of measurements, as SVG documents. Of lariat's own data this crate knows
//! nothing.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::series::LineSeries;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Width and height of a document.
const SIZE: (u32, u32) = (960, 480);
const FONT: &str = "sans-serif";

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
    document(|area| draw_bars(bars, area))
}

/// A document with all points.
///
/// # Errors
/// As [`bars`].
pub fn points(points: &Points) -> Result<String, String> {
    document(|area| draw_points(points, area))
}

fn document(draw: impl FnOnce(&Area<'_>) -> Drawn) -> Result<String, String> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
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
        .margin(10)
        .x_label_area_size(36)
        .y_label_area_size(80)
        .build_cartesian_2d(0.0..bars.groups.len() as f64, 0.0..top * 1.05)?;
    let name = |at: &f64| {
        let group = bars.groups.get(*at as usize).filter(|_| at.fract() == 0.5);
        group.map_or(String::new(), |(name, _)| name.clone())
    };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(bars.groups.len() * 2 + 1)
        .x_label_formatter(&name)
        .y_desc(&bars.unit)
        .label_style((FONT, 13))
        .draw()?;
    for (series, name) in bars.series.iter().enumerate() {
        let fill = colour(series).filled();
        let one = bars.groups.iter().enumerate().filter_map(|(group, (_, values))| {
            let value = values.get(series).copied().flatten()?;
            let left = group as f64 + (series as f64 + 0.5) / wide;
            Some(Rectangle::new([(left, 0.0), (left + 0.9 / wide, value)], fill))
        });
        chart
            .draw_series(one)?
            .label(name)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], fill));
    }
    legend(&mut chart)
}

fn draw_points(points: &Points, area: &Area<'_>) -> Drawn {
    let placed = |value: f64| match points.is_logarithmic {
        true => value.max(1.0).log10(),
        false => value,
    };
    let all = || points.series.iter().flat_map(|(_, points)| points);
    let most = |of: fn(&(f64, f64)) -> f64| {
        all().map(of).map(placed).fold(0.0, f64::max).max(f64::MIN_POSITIVE) * 1.05
    };
    let (right, top) = (most(|point| point.0), most(|point| point.1));
    let mut chart = ChartBuilder::on(area)
        .caption(&points.title, (FONT, 18))
        .margin(10)
        .x_label_area_size(44)
        .y_label_area_size(80)
        .build_cartesian_2d(0.0..right, 0.0..top)?;
    let shown = |value: &f64| match points.is_logarithmic {
        true => format!("10^{value:.1}"),
        false => format!("{value}"),
    };
    chart
        .configure_mesh()
        .x_label_formatter(&shown)
        .y_label_formatter(&shown)
        .x_desc(&points.axes.0)
        .y_desc(&points.axes.1)
        .label_style((FONT, 13))
        .draw()?;
    for (series, (name, its)) in points.series.iter().enumerate() {
        let colour = colour(series);
        let at: Vec<(f64, f64)> = its.iter().map(|&(x, y)| (placed(x), placed(y))).collect();
        if points.has_lines {
            chart.draw_series(LineSeries::new(at.clone(), colour.stroke_width(2)))?;
        }
        chart
            .draw_series(at.into_iter().map(|at| Circle::new(at, 3, colour.filled())))?
            .label(name)
            .legend(move |(x, y)| Circle::new((x + 6, y), 4, colour.filled()));
    }
    legend(&mut chart)
}

fn legend<'a, X, Y, C>(chart: &mut ChartContext<'a, SVGBackend<'a>, C>) -> Drawn
where
    C: CoordTranslate<From = (X, Y)>,
{
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .label_font((FONT, 13))
        .draw()?;
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
            assert_eq!(text.matches("<circle").count(), 4);
            assert_eq!(text.matches("10^").count() > 0, is_logarithmic);
        }
    }
}
