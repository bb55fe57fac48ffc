package term

import "strings"

// A Depth says how many colors a terminal shows.
type Depth uint8

// The depths of color.
const (
	None      Depth = iota // no colors and no other escape sequences
	Color256               // the 256 colors of xterm
	TrueColor              // 24 bits
)

// String returns none, 256 or truecolor.
func (d Depth) String() string {
	switch d {
	case None:
		return "none"
	case Color256:
		return "256"
	}
	return "truecolor"
}

// MaxCells is the largest number of characters of a picture, blanks included.
const MaxCells = 1 << 21

// Options say what the terminal can show. The zero Options are text without colors of any width.
type Options struct {
	Color Depth
	Width int  // columns of the terminal: wider pictures are cut into pages; one page if 0 or less
	ASCII bool // only ASCII: + - | for borders, o for ∘, ? for a character without an ASCII equivalent
	Grid  bool // with colors, draw the thin borders of filled cells too
	Paper bool // with colors, paint the background of the scene and do not adapt colors
}

// TerminalDepth returns the depth for output to a terminal. env returns the value of an environment variable, "" if
// it is not set. The first line that applies decides:
//
//	NO_COLOR is not empty                          None (no-color.org)
//	CLICOLOR_FORCE is not empty and not 0          colors, also where TERM is dumb
//	TERM is dumb, or CLICOLOR is 0                 None
//	COLORTERM is truecolor or 24bit, TERM ends     TrueColor
//	in -direct or names a terminal known for it,
//	or WT_SESSION (Windows Terminal) is not empty
//	TERM contains 256color or names a terminal     Color256
//	that shows 256 colors, or colors are forced
//	anything else                                  None
func TerminalDepth(env func(string) string) Depth {
	if !forcesColors(env) && (strings.ToLower(env("TERM")) == "dumb" || env("CLICOLOR") == "0") {
		return None
	}
	return shownDepth(env)
}

// PipeDepth returns the depth for output that is not a terminal: None, unless CLICOLOR_FORCE requests the
// colors that [TerminalDepth] returns.
func PipeDepth(env func(string) string) Depth {
	if !forcesColors(env) {
		return None
	}
	return shownDepth(env)
}

// forcesColors reports whether the environment requests colors for every kind of output.
func forcesColors(env func(string) string) bool {
	force := env("CLICOLOR_FORCE")
	return force != "" && force != "0"
}

// shownDepth returns the depth of the terminal that the environment describes.
func shownDepth(env func(string) string) Depth {
	name := strings.ToLower(env("TERM"))
	switch color := strings.ToLower(env("COLORTERM")); {
	case env("NO_COLOR") != "":
		return None
	case color == "truecolor" || color == "24bit" || env("WT_SESSION") != "":
		return TrueColor
	case strings.HasSuffix(name, "-direct") || strings.Contains(name, "truecolor") || hasPrefixOf(name, deep):
		return TrueColor
	case strings.Contains(name, "256color") || hasPrefixOf(name, wide) || forcesColors(env):
		return Color256
	}
	return None
}

// Terminals by prefixes of TERM: terminals that show 24 bits regardless of COLORTERM, and terminals that show or
// map 256 colors although TERM does not say so.
var (
	deep = []string{"xterm-kitty", "xterm-ghostty", "alacritty", "wezterm", "foot", "contour", "iterm"}
	wide = []string{"xterm", "screen", "tmux", "rxvt", "konsole", "linux", "putty", "cygwin", "mintty", "st-"}
)

// hasPrefixOf reports whether a name has a prefix from a list.
func hasPrefixOf(name string, list []string) bool {
	for _, p := range list {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}
