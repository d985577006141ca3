//! Colours. Elements have those of light paper as attributes, which every viewer and printer knows; a style sheet
//! replaces them by class where the reader prefers dark.

pub(super) const PAPER: &str = "white";
pub(super) const INK: &str = "black";
pub(super) const DIM: &str = "#666";
pub(super) const MESSAGE: &str = "#05b";
pub(super) const BAD: &str = "#c00";
pub(super) const LOOP: &str = "#850";
pub(super) const TRUE: &str = "#2a7";

/// What the classes look like in the dark.
pub(super) const DARK: &str = "<style>@media (prefers-color-scheme: dark) {\n\
.paper, .false { fill: #16191f } .ink { fill: #e3e6ea } .dim { fill: #9aa3ad }\n\
.true { fill: #3fb068 } .true, .false { stroke: #9aa3ad }\n\
.loop { fill: #2e2814; stroke: #a67c1c } .back { stroke: #e0b24a } .turn { fill: #e0b24a }\n\
.life { stroke: #4a525c } .name { fill: #252b38; stroke: #6b7690 }\n\
.message { stroke: #6cb2ff } .sent { fill: #6cb2ff } .bad { fill: #ff7b72 }\n\
}</style>\n";

/// The class of a text in this colour.
pub(super) fn class(fill: &str) -> &'static str {
    match fill {
        DIM => "dim",
        MESSAGE => "sent",
        BAD => "bad",
        LOOP => "turn",
        _ => "ink",
    }
}
