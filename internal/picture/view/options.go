package view

import (
	"fmt"
	"slices"
	"strings"

	"girih/atom"
	"girih/banks"
	"girih/cute"
	"girih/internal/picture/draw"
)

// Labels says which labels the axes of a grid have.
type Labels uint8

// The labels of axes.
const (
	LabelsAuto   Labels = iota // LabelsAuto: coordinates for nested modes, indices otherwise.
	LabelsIndex                // LabelsIndex: the index in the mode.
	LabelsNested               // LabelsNested: the coordinate in the mode, such as (1,0).
)

// A ColorBy is the meaning of a cell's fill.
type ColorBy uint8

// The meanings of fills.
const (
	ColorAuto   ColorBy = iota // ColorAuto: the main subject of the picture.
	ColorOffset                // ColorOffset: the offset; neighbours in memory have different fills.
	ColorThread                // ColorThread: the hue is the thread, the lightness the register.
	ColorWarp                  // ColorWarp: the hue is the warp of 32 threads, the lightness the register.
	ColorVector                // ColorVector: the run of consecutive offsets or values.
	ColorNone                  // ColorNone: nothing; cells are empty.
	ColorValue                 // ColorValue: the value of a thread, in thread-value maps.
	ColorBank                  // ColorBank: the bank of the offset, of elements of Options.ElemBits, in layouts.
	ColorGroup                 // ColorGroup: the bank's group of 4 banks, 16 bytes.
)

// colorNames are the names of the fills in the order of their numbers.
var colorNames = []string{"auto", "offset", "thread", "warp", "vector", "none", "value", "bank", "group"}

// ParseColorBy returns the meaning with a name: auto, offset, thread, warp, vector, none, value, bank or group; "" is
// auto. The error says what was expected and found.
func ParseColorBy(name string) (ColorBy, error) {
	for i, n := range colorNames {
		if strings.EqualFold(name, n) {
			return ColorBy(i), nil
		}
	}
	if name == "" {
		return ColorAuto, nil
	}
	return 0, fmt.Errorf("expected what the fill of a cell means, one of %s, found %.40q",
		strings.Join(colorNames, ", "), name)
}

// String returns the name: "offset".
func (c ColorBy) String() string {
	if int(c) < len(colorNames) {
		return colorNames[c]
	}
	return fmt.Sprintf("ColorBy(%d)", uint8(c))
}

// Options say how a picture is drawn. The zero Options is the default: the light theme, coordinates on the axes of
// nested modes, cells labelled up to [LabelledCells].
type Options struct {
	Theme   *draw.Theme // nil for the default one
	Title   string      // replaces the title of the value
	Labels  Labels      // what labels the axes
	ColorBy ColorBy     // the meaning of a cell's fill
	Fix     cute.Coord  // the modes that are fixed, and where: (_,_,0,1); the zero Coord fixes none
	// MaxCells is the largest number of cells that each have a label. Above it, neighbours are merged or the labels
	// are omitted. 0 is [LabelledCells].
	MaxCells int
	// ElemBits is the number of bits of an element for ColorBank and ColorGroup. 0 is 32; for ColorAuto it means
	// unknown. There are 32 banks of 4 bytes.
	ElemBits int
	// WarpSize is the number of threads of a warp; 0 is 32.
	WarpSize int64

	// Columns is the width of the terminal in characters, for a picture that will be shown in one: text is wrapped at
	// this width, and details that characters cannot show are omitted. 0 means a file.
	Columns int

	axes [2]string // the names of the modes of a tile; see OfOperand
	way            // how thread-value maps fit a page
	// coarse says that a thread-value map is drawn next to a map with too many elements to draw, with rows or columns
	// of the same size.
	coarse bool
	// threads are the numbers of the participating threads, which name them; nil for the numbers of the map. See
	// OfThreads.
	threads []int64
}

// Limits of pictures.
const (
	LabelledCells = 4096    // LabelledCells is the largest number of cells that each have a label.
	DrawnCells    = 1 << 18 // DrawnCells is the largest number of cells that are drawn; above it, only the outline is.
)

// theme returns the theme, or the default one.
func (o Options) theme() *draw.Theme {
	if o.Theme == nil {
		return draw.Themes()[0]
	}
	return o.Theme
}

// labelLimit returns the largest number of cells that each have a label.
func (o Options) labelLimit() int64 {
	if o.MaxCells > 0 {
		return int64(o.MaxCells)
	}
	return LabelledCells
}

// check returns an error for options that no picture supports.
func (o Options) check() error {
	if most := 1 << 16; o.ElemBits < 0 || o.ElemBits > most {
		return &cute.Error{
			Code: cute.CodeExtent, Op: "draw", Msg: fmt.Sprintf("expected an element of 1 to %d bits, or 0 for 32, found %d",
				most, o.ElemBits),
		}
	}
	return nil
}

// holderFill returns the meaning of fills in thread-value maps with the given number of threads; their cells have no
// offsets.
func (o Options) holderFill(threads int64) ColorBy {
	switch o.ColorBy {
	case ColorAuto, ColorOffset, ColorBank, ColorGroup:
		if threads > o.warp() && !o.theme().Classic {
			return ColorWarp
		}
		return ColorThread
	}
	return o.ColorBy
}

// warp returns the number of threads of a warp.
func (o Options) warp() int64 {
	if o.WarpSize > 0 {
		return o.WarpSize
	}
	return 32
}

// OfOperand returns the options for a picture of one operand of an MMA: the axes are named M, N and K, and the warp
// size is the machine's, which is 64 threads for the wavefronts of AMD's CDNA.
func (o Options) OfOperand(m atom.MMA, op atom.Operand) Options {
	x, y := op.Axes()
	o.axes = [2]string{modeNames[x : x+1], modeNames[y : y+1]}
	return o.machine(m)
}

// OfThreads returns the options for a picture of the threads of a layout, such as ThrID of an instruction or
// ThrLayoutVMNK of a TiledMMA. Threads have the numbers that the layout gives. If the map has more threads, the
// others are omitted, such as the threads between the two halves of a Volta quad-pair.
func (o Options) OfThreads(l cute.Layout) Options {
	if n, err := l.AppendOffsets(nil); err == nil {
		slices.Sort(n)
		o.threads = n
	}
	return o
}

// machine sets the warp size of the instruction's machine.
func (o Options) machine(m atom.MMA) Options {
	if t, err := banks.ParseTarget(m.Arch); err == nil && o.WarpSize == 0 {
		o.WarpSize = int64(t.WarpSize())
	}
	return o
}
