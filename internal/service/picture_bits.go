package service

import (
	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/picture/draw"
	"girih/internal/picture/view"
)

// bitPictures are the pictures of maps over bits, and of modes and places.
func bitPictures() []Picture {
	return []Picture{
		{
			Kind: "matrix", Doc: "The matrix over bits of a linear layout, a swizzle or any layout that is linear over bits.",
			Example: "'Sw<3,0,3> o 0 o (8,8):(8,1)' --as matrix", draw: drawMatrix,
		},
		{
			Kind: "wiring", Doc: "Wires from the modes of a layout to the places of the offset; its size does not grow " +
				"with the extents.",
			Example: "'((4,8),(2,2)):((32,1),(16,8))' --as wiring", draw: drawWiring,
		},
	}
}

func drawMatrix(d *drawJob) (*draw.Scene, error) {
	if m, ok := d.value.(eval.Matrix); ok {
		return view.MatrixF2(m.Matrix, d.opts)
	}
	l, err := d.linear()
	if err != nil {
		return nil, err
	}
	return view.Matrix(l.Layout, d.opts), nil
}

// linear returns the value as a map over bits.
func (d *drawJob) linear() (eval.Linear, error) {
	v := d.value
	if t, ok := v.(eval.Tuple); ok && !t.IsInt() {
		l, err := cute.LayoutLeft(t.Tuple)
		if err != nil {
			return eval.Linear{}, err
		}
		v = eval.Layout{Layout: l}
	}
	var shape []int64
	if _, ok := v.(eval.Encoding); ok && d.req.Tile != "" {
		t, err := d.tileShape()
		if err != nil {
			return eval.Linear{}, err
		}
		shape = t.Flatten().Leaves()
	}
	l, err := linearOf(v, shape)
	if n := size(v); n > 0 && n&(n-1) != 0 && err == nil {
		d.notes = unique(append(d.notes, goesOn(n)))
	}
	return eval.Linear{Layout: l}, err
}

func drawWiring(d *drawJob) (*draw.Scene, error) {
	switch v := d.value.(type) {
	case eval.Layout:
		return view.Wiring(v.Layout, d.opts)
	case eval.Tuple:
		if v.IsInt() {
			break
		}
		l, err := cute.LayoutLeft(v.Tuple)
		if err != nil {
			return nil, err
		}
		return view.Wiring(l, d.opts)
	case eval.Composed:
		return view.WiringComposed(v.Composed, d.opts)
	case eval.Linear, eval.Encoding, eval.Matrix, eval.Xor, eval.Swizzle:
		l, err := d.linear()
		if err != nil {
			return nil, err
		}
		return view.WiringLinear(l.Layout, d.opts), nil
	}
	return nil, d.mismatch("wiring", "a layout, a composed layout or a linear layout")
}
