package explain

import (
	"girih/atom"
)

// tilePanel returns the panel of an operand of a tiled MMA.
func tilePanel(t atom.TiledMMA, o atom.Operand) (panel, error) {
	tv, err := t.LayoutTV(o)
	if err != nil {
		return panel{}, err
	}
	s := t.TileShape()
	extents := [3]int64{s[0], s[1], 1}
	switch o {
	case atom.OperandA:
		extents = [3]int64{s[0], s[2], 1}
	case atom.OperandB:
		extents = [3]int64{s[1], s[2], 1}
	}
	return newPanel(o.String(), operandAxes(o), extents, tv)
}
func explainCopyTV(op *Operation, x *Explanation, c atom.TiledCopy) {}
