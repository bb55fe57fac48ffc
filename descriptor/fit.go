package descriptor

import (
	"slices"

	"girih/atom"
	"girih/cute"
)

// A Fit is how an instruction reads an operand in a layout of shared memory: the descriptors of all its steps. Do not
// change the fields.
type Fit struct {
	// Operand is the operand, with the rows that one instruction reads.
	Operand Operand
	// Atom is the atom of the operand's pattern and major.
	Atom Atom
	// Rows, K and Stages are the extents of the tile, in elements. One instruction reads Operand.Rows by Operand.K of
	// it.
	Rows, K, Stages int64
	// Step, Block and Stage are the advances from one descriptor to the next along K, along M or N, and between stages.
	Step, Block, Stage Advance
	// Matrices are the descriptors, steps along K fastest, then blocks along M or N, then stages.
	Matrices []Matrix
	// Alike reports whether the descriptors differ only in their starts.
	Alike bool
	// Sum reports whether each start is the first start plus the advances of its step, block and stage.
	Sum bool
}

// An Advance is the distance between descriptors, in bytes; the start in the descriptor counts units of 16.
type Advance struct {
	// Count is the number of descriptors, 1 if there is no next one.
	Count int64
	// Starts contains the starts of the descriptors.
	Starts []int64
}

// Constant returns the bytes from each descriptor to the next, and whether they are all the same; 0 if there is only
// one.
func (a Advance) Constant() (bytes int64, ok bool) {
	if len(a.Starts) < 2 {
		return 0, true
	}
	for i := 1; i < len(a.Starts); i++ {
		if a.Starts[i]-a.Starts[i-1] != a.Starts[1]-a.Starts[0] {
			return 0, false
		}
	}
	return a.Starts[1] - a.Starts[0], true
}

// Matrix returns the descriptor of a step along K of a block along M or N in a stage.
func (f Fit) Matrix(step, block, stage int64) Matrix {
	return f.Matrices[step+f.Step.Count*(block+f.Block.Count*stage)]
}

// Fit returns how the instruction reads the operand in a layout, in a form that [Operand.Tile] accepts; the layout
// begins at an address in bytes, and 0 means any multiple of 1024. It returns a [Misfit] if the instruction
// cannot, [cute.CodeNotDivisible] if the instruction does not divide the tile, [cute.CodeLimit] for more than 2^18
// descriptors, [cute.CodeExtent] if no extent of the instruction divides the tile, [cute.CodeType] for a layout along a
// mode in which the instruction does not read the type, and the errors of [Operand.Tile].
func (o Operand) Fit(layout cute.Inner, address int64) (Fit, error) {
	if err := o.checkAddress(address); err != nil {
		return Fit{}, err
	}
	if err := o.check(); err != nil {
		return Fit{}, err
	}
	t, err := o.Tile(layout)
	if err != nil {
		return Fit{}, err
	}
	if m, ok := t.major(); ok && !slices.Contains(o.ownMajors(), m) {
		o.Majors = []atom.Major{m}
		return Fit{}, o.check()
	}
	if err := o.divides(t); err != nil {
		return Fit{}, err
	}
	o.Rows = o.rowsFor(t.rows)
	f := Fit{Operand: o, Rows: t.rows, K: t.columns, Stages: t.stages}
	f.Step.Count, f.Block.Count, f.Stage.Count = t.columns/o.K, t.rows/o.Rows, t.stages
	if n := f.Step.Count * f.Block.Count; n > maxMatrices || f.Stages > maxMatrices/n {
		return Fit{}, fail(cute.CodeLimit,
			"%v has %d descriptors of %d stages, more than %d in all", t, n, f.Stages, maxMatrices)
	}
	if err := f.fitWindows(&window{tile: t, operand: o, height: o.Rows, width: o.K, address: address}); err != nil {
		return Fit{}, err
	}
	if err := f.repeat(t.stage * o.Bits / 8); err != nil {
		return Fit{}, err
	}
	f.describe()
	f.Atom, err = makeAtom(f.Matrices[0].Pattern, f.Matrices[0].Major, o.Type, o.Bits)
	return f, err
}

// checkAddress refuses an address that no descriptor holds.
func (o Operand) checkAddress(address int64) error {
	if address >= 0 && address <= farthest && address%unit == 0 {
		return nil
	}
	return withHint(fail(cute.CodeExtent,
		"expected an address of 0 to %d in steps of %d, found %d (PTX ISA %s)", farthest, unit,
		address, o.Format.section()), "the nearest is %d", min(max(address, 0), farthest)/unit*unit)
}

// fitWindows moves the window over the tile and appends the matrix of each place. If the stages are alike, it fits the
// first one only. All matrices are like the first.
func (f *Fit) fitWindows(w *window) error {
	separate := f.Stages
	if w.tile.alike {
		separate = 1
	}
	var like *Matrix
	for w.stage = range separate {
		for block := range f.Block.Count {
			for step := range f.Step.Count {
				w.row, w.k = block*w.height, step*w.width
				d, bad, err := w.fit(like)
				if err != nil {
					return err
				}
				if bad != nil {
					return bad
				}
				f.Matrices = append(f.Matrices, d)
				like = &f.Matrices[0]
			}
		}
	}
	return nil
}

// maxMatrices is the largest number of descriptors in a Fit.
const maxMatrices = 1 << 18

// divides refuses a tile that is not a whole number of instructions.
func (o Operand) divides(t *Tile) error {
	axis := "M"
	if o.Which == atom.OperandB {
		axis = "N"
	}
	if t.columns%o.K != 0 {
		return withHint(fail(cute.CodeNotDivisible, "%s takes K of %d, found %d along K in %s (PTX ISA %s)", o.Name, o.K,
			t.columns, t, o.shapes()), "K is the second mode, in elements")
	}
	rows := o.rowsFor(t.rows)
	if rows == 0 {
		return o.wrongRows(t.rows)
	}
	if t.rows%rows != 0 {
		return fail(cute.CodeNotDivisible, "%s takes %s of %d, found %d along %s in %s (PTX ISA %s)", o.Name, axis, rows,
			t.rows, axis, t, o.shapes())
	}
	return nil
}

// repeat adds the descriptors of equal stages at a constant distance in bytes.
func (f *Fit) repeat(bytes int64) error {
	n := f.Step.Count * f.Block.Count
	for int64(len(f.Matrices)) < n*f.Stages {
		d := f.Matrices[int64(len(f.Matrices))-n]
		d.Start += bytes
		if d.Start > farthest {
			return withHint(fail(cute.CodeNotRepresentable,
				"stage %d of %d begins at byte %d, and a descriptor has a start of 0 to %d (PTX ISA 9.7.15.5.1.2, 9.7.16.4.1)",
				int64(len(f.Matrices))/n, f.Stages, d.Start, farthest), "%d stages are within reach", int64(len(f.Matrices))/n)
		}
		f.Matrices = append(f.Matrices, d)
	}
	return nil
}

// describe finds what the descriptors have in common.
func (f *Fit) describe() {
	first := f.Matrices[0]
	for i := range f.Step.Count {
		f.Step.Starts = append(f.Step.Starts, f.Matrix(i, 0, 0).Start-first.Start)
	}
	for i := range f.Block.Count {
		f.Block.Starts = append(f.Block.Starts, f.Matrix(0, i, 0).Start-first.Start)
	}
	for i := range f.Stages {
		f.Stage.Starts = append(f.Stage.Starts, f.Matrix(0, 0, i).Start-first.Start)
	}
	f.Alike, f.Sum = true, true
	for stage, c := range f.Stage.Starts {
		for block, b := range f.Block.Starts {
			for step, a := range f.Step.Starts {
				d := f.Matrix(int64(step), int64(block), int64(stage))
				f.Sum = f.Sum && d.Start == first.Start+a+b+c
				d.Start = first.Start
				f.Alike = f.Alike && d == first
			}
		}
	}
}
