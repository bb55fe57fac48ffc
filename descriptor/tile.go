package descriptor

import (
	"fmt"

	"girih/atom"
	"girih/cute"
)

// A Tile is a matrix in shared memory, or several stages of one, as a table of its elements. [NewTile] makes it.
type Tile struct {
	rows, columns, stages int64
	offsets               []int64 // the offsets in elements: rows run fastest, then columns, then stages
	alike                 bool    // the stages are alike, and the table contains only the first
	stage                 int64   // the distance between stages that are alike, in elements
	in                    cute.Inner
}

// NewTile returns the tile of a layout, swizzled or not, of one of these forms:
//
//	(M,K)                     or (N,K)
//	(M,K,stages)              as tile_to_shape makes it of (BLK_M,BLK_K,PIPE)
//	((m,k),M,K,stages)        partitioned by an instruction of m by k, as the UMMA layouts of CuTe are
//
// It returns [cute.CodeRank] for others, and the errors of [cute.Composed.AppendOffsets].
func NewTile(layout cute.Inner) (*Tile, error) {
	c, ok := layout.(cute.Composed)
	if l, plain := layout.(cute.Layout); plain {
		c, ok = l.Composed(), true
	}
	if !ok {
		return nil, fail(cute.CodeType, "expected a layout")
	}
	t := &Tile{in: layout}
	regular, err := c.Map(matrixOf)
	if err != nil {
		return nil, err
	}
	modes := regular.Layout().Modes()
	t.rows, t.columns, t.stages = modes[0].Size(), modes[1].Size(), 1
	if len(modes) == 3 {
		t.stages = modes[2].Size()
		if d, ok := alike(regular, modes[2]); ok {
			t.alike, t.stage = true, d
			regular, err = regular.Map(func(l cute.Layout) (cute.Layout, error) { return l.Take(0, 2) })
			if err != nil {
				return nil, err
			}
		}
	}
	t.offsets, err = regular.AppendOffsets(nil)
	return t, err
}

// Tile returns the tile of a layout as [NewTile] does, and also accepts ((m,k),M,K), CuTe's partition of a tile of one
// stage by the instruction: a layout of three modes whose first mode is the extents that the instruction reads, and
// whose second mode is not a multiple of its K. It returns the errors of [NewTile].
func (o Operand) Tile(layout cute.Inner) (*Tile, error) {
	c, ok := layout.(cute.Composed)
	if l, plain := layout.(cute.Layout); plain {
		c, ok = l.Composed(), true
	}
	if !ok {
		return NewTile(layout)
	}
	c, err := o.addStageMode(c)
	if err != nil {
		return nil, err
	}
	t, err := NewTile(c)
	if err == nil {
		t.in = layout
	}
	return t, err
}

// addStageMode adds the mode of one stage to a layout ((m,k),M,K) of the instruction, and returns others unchanged.
func (o Operand) addStageMode(c cute.Composed) (cute.Composed, error) {
	if !o.isPartitioned(c.Layout()) {
		return c, nil
	}
	return c.Map(func(l cute.Layout) (cute.Layout, error) { return cute.MakeLayout(append(l.Modes(), oneStage)...) })
}

// oneStage is the mode of a single stage.
var oneStage = cute.MustParse("1:0")

// isPartitioned reports whether a layout is the instruction's ((m,k),M,K), not (M,K,stages).
func (o Operand) isPartitioned(l cute.Layout) bool {
	modes := l.Modes()
	if len(modes) != 3 || modes[0].Rank() != 2 || modes[1].Size()%o.K == 0 {
		return false
	}
	read := modes[0].Modes()
	return read[1].Size() == o.K && (o.takes(read[0].Size()) || read[0].Size() == o.Rows)
}

// matrixOf brings a layout into the form (rows, columns) or (rows, columns, stages).
func matrixOf(l cute.Layout) (cute.Layout, error) {
	modes := l.Modes()
	if n := len(modes); n == 2 || n == 3 {
		return l, nil
	}
	if len(modes) != 4 || modes[0].Rank() != 2 || l.Depth() == 0 {
		hint := "a tile has the mode of M or N first and the mode of K second"
		if g, err := l.GroupModes(2, len(modes)); err == nil && len(modes) > 3 {
			hint += fmt.Sprintf("; with all others as stages it is %v", g)
		}
		return l, withHint(fail(cute.CodeRank, "expected (M,K), (M,K,stages) or ((m,k),M,K,stages), found %v", l), "%s", hint)
	}
	inner := modes[0].Modes()
	rows, err := cute.MakeLayout(inner[0], modes[1])
	if err != nil {
		return l, err
	}
	columns, err := cute.MakeLayout(inner[1], modes[2])
	if err != nil {
		return l, err
	}
	return cute.MakeLayout(rows, columns, modes[3])
}

// alike reports whether the stages are at equal distances that no swizzle changes, and returns the distance in
// elements.
func alike(c cute.Composed, stages cute.Layout) (int64, bool) {
	flat := cute.Coalesce(stages)
	if flat.Rank() > 1 || flat.HasBasis() {
		return 0, false
	}
	d, ok := flat.Stride().Int64()
	if !ok || d < 0 {
		return 0, false
	}
	for outer := range c.Stages() {
		w, ok := outer.(cute.Swizzle)
		if !ok || w.B() > 0 && d%(1<<(w.M()+max(w.S(), -w.S())+w.B())) != 0 {
			return 0, false
		}
	}
	return d, true
}

// Rows returns the extent along M or N, in elements.
func (t *Tile) Rows() int64 { return t.rows }

// Columns returns the extent along K, in elements.
func (t *Tile) Columns() int64 { return t.columns }

// Stages returns the number of stages: 1 for a matrix.
func (t *Tile) Stages() int64 { return t.stages }

// String returns the layout from which the tile was made.
func (t *Tile) String() string { return t.in.String() }

// at returns the offset, in elements, of an element of a stage. If the stages are alike, the table has only the first.
func (t *Tile) at(row, k, stage int64) int64 {
	if t.alike || t.stages == 1 {
		return t.offsets[row+k*t.rows] + stage*t.stage
	}
	return t.offsets[row+(k+stage*t.columns)*t.rows]
}

// At returns the offset, in elements, of an element of a stage. It returns [cute.CodeExtent] outside the tile.
func (t *Tile) At(row, k, stage int64) (int64, error) {
	if row < 0 || row >= t.rows || k < 0 || k >= t.columns || stage < 0 || stage >= t.stages {
		return 0, fail(cute.CodeExtent, "expected an element of %d by %d by %d, found (%d,%d,%d)", t.rows, t.columns,
			t.stages, row, k, stage)
	}
	return t.at(row, k, stage), nil
}

// Matrix returns the descriptor with which the instruction reads A or B from the first stage of the tile, from the
// element (row, k) on, for a tile that begins at a multiple of [Pattern.Align]. It returns [cute.CodeNotRepresentable]
// with the first core matrix that no descriptor finds in its place ([Misfit]), [cute.CodeExtent] for elements outside
// the tile, and the errors of [OperandOf].
func (t *Tile) Matrix(m atom.MMA, o atom.Operand, row, k int64) (Matrix, error) {
	x, err := OperandOf(m, o)
	if err != nil {
		return Matrix{}, err
	}
	if row < 0 || k < 0 || row+x.Rows > t.rows || k+x.K > t.columns {
		return Matrix{}, fail(cute.CodeExtent, "%s takes %d by %d elements of %v from (%d,%d) on, the tile has %d by %d",
			m.Name, x.Rows, x.K, o, row, k, t.rows, t.columns)
	}
	d, bad, err := window{tile: t, operand: x, row: row, k: k, height: x.Rows, width: x.K}.fit(nil)
	if err == nil && bad != nil {
		return d, bad
	}
	return d, err
}
