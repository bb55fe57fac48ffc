package service

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/picture/draw"
	"girih/internal/picture/view"
)

// threadPictures are the pictures of who holds what.
func threadPictures() []Picture {
	return []Picture{
		{
			Kind: "tv", Doc: "Which thread holds each element of a tile, and as which value: of a thread-value layout with " +
				"the shape of the tile, an operand of an MMA, a copy, an encoding.",
			Example: "'((4,8),(2,2)):((32,1),(16,8))' --tv 16,8", draw: drawTV,
		},
		{
			Kind: "hardware", Doc: "The same the other way round: a row for each thread, a column for each value, the " +
				"coordinate in the cell.",
			Example: "'((4,8),(2,2)):((32,1),(16,8))' --tv 16,8", draw: drawHardware,
		},
		{
			Kind: "dual", Doc: "The pictures hardware and tv side by side: what is the same element has the same color.",
			Example: "'((4,8),(2,2)):((32,1),(16,8))' --tv 16,8", draw: drawDual,
		},
		{
			Kind: "mma", Doc: "A, B and C of an MMA instruction or a TiledMMA as three panels that share their axes.",
			Example: "SM80_16x8x16_F32F16F16F32_TN", draw: drawMMA,
		},
		{
			Kind: "copy", Doc: "The source and the destination of a copy instruction or a TiledCopy side by side.",
			Example: `'copy_atom("SM75_U32x4_LDSM_N","f16")'`, draw: drawCopy,
		},
		{
			Kind: "predicate", Doc: "The last tile of a tensor through a TiledCopy: the truth value and the thread that guard " +
				"each element, and what is outside.",
			Example: `'tiled_copy(copy_atom("UniversalCopy<uint64_t>","f16"),(4,4):(4,1),(1,4))' --as predicate ` +
				`--extents '(45,24)' --tv 8,32`,
			draw: drawPredicate,
		},
		{
			Kind: "linear", Doc: "A linear layout, or an encoding with the shape of the tensor: registers as a " +
				"thread-value map, shared memory as a tensor of offsets, else its matrix.",
			Example: "'blocked{sizePerThread=[1,2], threadsPerWarp=[8,4], warpsPerCTA=[1,1], order=[1,0]}' --tv 16,16",
			draw:    drawLinear,
		},
	}
}

// tileShape reads the shape of a tile: 16,8 or (16,8).
func (d *drawJob) tileShape() (cute.Tuple, error) {
	text := strings.TrimSpace(d.req.Tile)
	if !strings.HasPrefix(text, "(") {
		text = "(" + text + ")"
	}
	t, err := cute.ParseTuple(text)
	if err != nil {
		d.usage = true
		return cute.Tuple{}, &cute.Error{
			Code: cute.CodeSyntax,
			Msg:  fmt.Sprintf("expected the shape of a tile, such as 16,8, found %.60q", d.req.Tile),
		}
	}
	return t, nil
}

// A threadMap is a thread-value layout on a tile.
type threadMap struct {
	title string
	tv    cute.Layout
	tile  cute.Tuple
	mma   *atom.MMA // the instruction that the operand belongs to; nil for another layout
	op    atom.Operand
	thr   cute.Layout // from the threads of the picture to the threads of the instruction
}

// options returns the options of the picture: a title, unless the request has one, and the defaults from the
// machine and the operand.
func (m threadMap) options(d *drawJob) view.Options {
	o := d.withTitle(m.title)
	if m.mma != nil {
		return o.OfOperand(*m.mma, m.op).OfThreads(m.thr)
	}
	return o
}

// threadMap returns the value as a thread-value layout, or the thread-value layout of the operand that the
// request names.
func (d *drawJob) threadMap(kind string) (threadMap, error) {
	switch v := d.value.(type) {
	case eval.Layout:
		if d.req.Tile == "" {
			return strip(v.Layout)
		}
		tile, err := d.tileShape()
		return threadMap{tv: v.Layout, tile: tile}, err
	case eval.MMAAtom:
		op, err := d.operand()
		if err != nil {
			return threadMap{}, err
		}
		rows, cols := v.Extents(op)
		tile := cute.Ints(rows, cols)
		if v.Blocks > 1 {
			tile = cute.Ints(rows, cols, v.Blocks)
		}
		return threadMap{fmt.Sprintf("%s of %s", op, v.Name), v.TV(op), tile, &v.MMA, op, v.ThrID}, nil
	case eval.TiledMMA:
		op, err := d.operand()
		if err != nil {
			return threadMap{}, err
		}
		tv, err := v.LayoutTV(op)
		x, y := op.Axes()
		shape := v.TileShape()
		a := v.Atom()
		return threadMap{
			fmt.Sprintf("%s of %s", op, clip(v.String())), tv, cute.Ints(shape[x], shape[y]), &a, op,
			v.ThrLayoutVMNK(),
		}, err
	case eval.TiledCopy:
		return threadMap{title: v.Atom().Name, tv: v.LayoutTV(), tile: v.Shape()}, nil
	case eval.CopyAtom:
		return strip(v.ValRef)
	}
	return threadMap{}, d.mismatch(kind, "a layout (thread, value) -> element, an MMA or a copy")
}

// strip is a thread-value layout on a tile of one mode, as large as the layout needs.
func strip(tv cute.Layout) (threadMap, error) {
	n, err := tv.Cosize()
	if err != nil {
		return threadMap{}, err
	}
	return threadMap{tv: tv, tile: cute.Ints(max(n, 1))}, nil
}

// operand returns the operand that the request names, C by default.
func (d *drawJob) operand() (atom.Operand, error) {
	op, info := parseOperand(d.req.Operand)
	if info != nil {
		return 0, d.wrong(info)
	}
	return op, nil
}

func drawTV(d *drawJob) (*draw.Scene, error) {
	if _, ok := d.value.(eval.Encoding); ok {
		return drawLinear(d)
	}
	if l, ok := d.value.(eval.Linear); ok {
		return view.Registers(l.Layout, d.opts)
	}
	m, err := d.threadMap("tv")
	if err != nil {
		return nil, err
	}
	return view.TV(m.tv, m.tile, m.options(d))
}

func drawHardware(d *drawJob) (*draw.Scene, error) {
	m, err := d.threadMap("hardware")
	if err != nil {
		return nil, err
	}
	return view.Hardware(m.tv, m.tile, m.options(d))
}

func drawDual(d *drawJob) (*draw.Scene, error) {
	m, err := d.threadMap("dual")
	if err != nil {
		return nil, err
	}
	return view.Dual(m.tv, m.tile, m.options(d))
}

// withTitle returns the options with a title, unless the request has one.
func (d *drawJob) withTitle(title string) view.Options {
	o := d.opts
	if o.Title == "" {
		o.Title = title
	}
	return o
}

func drawMMA(d *drawJob) (*draw.Scene, error) {
	switch v := d.value.(type) {
	case eval.MMAAtom:
		return view.MMA(v.MMA, d.opts)
	case eval.TiledMMA:
		return view.TiledMMA(v.TiledMMA, d.opts)
	}
	return nil, d.mismatch("mma", "an MMA instruction or a tiled_mma")
}

func drawCopy(d *drawJob) (*draw.Scene, error) {
	switch v := d.value.(type) {
	case eval.CopyAtom:
		return view.CopyAtom(v.CopyAtom, d.opts)
	case eval.TiledCopy:
		return view.TiledCopy(v.TiledCopy, d.opts)
	}
	return nil, d.mismatch("copy", "a copy instruction or a tiled_copy")
}

func drawLinear(d *drawJob) (*draw.Scene, error) {
	var shape []int64
	if _, ok := d.value.(eval.Encoding); ok {
		if d.req.Tile == "" {
			return nil, &cute.Error{
				Code: cute.CodeType, Op: "draw", Msg: fmt.Sprintf("an encoding is a layout on a tensor of some shape, found "+
					"%s alone", clip(d.value.String())),
				Hint: "give the shape of the tensor, such as 16,16, or write linear(..., (16,16))",
			}
		}
		t, err := d.tileShape()
		if err != nil {
			return nil, err
		}
		shape = t.Flatten().Leaves()
	}
	l, err := linearOf(d.value, shape)
	if err != nil {
		return nil, err
	}
	s, err := view.Linear(l, d.withTitle(d.encodingTitle(shape)))
	if err != nil && d.req.As == "" {
		return view.Matrix(l, d.opts), nil
	}
	return s, err
}

// encodingTitle names an encoding and its tensor.
func (d *drawJob) encodingTitle(shape []int64) string {
	if shape == nil {
		return ""
	}
	return fmt.Sprintf("%s on %s", d.value, cute.Ints(shape...))
}
