package diagnose

import (
	"fmt"
	"strings"
)

// pycuteRules are the exceptions of the Python implementations. NVIDIA's pycute asserts without a message, so the
// function and the source line in the traceback show what failed. PyCuTe (NVlabs/CuTe) names the operands.
var pycuteRules = ruleList{
	{says: "strides do not form an ordered chain", tool: toolPyCute, op: "left_inverse", look: inverse, demand: "left_inverse needs strides that, sorted, are each a multiple of the stride before and no smaller than the block that the modes below cover"},
	{says: "left_inverse(|non-injective layout", tool: toolPyCute, op: "left_inverse", look: inverse, demand: "left_inverse needs a layout without aliases whose sorted strides nest"},
	{says: "rank mismatch:", tool: toolPyCute, look: pyRank, demand: "a tiler or profile has at most as many modes as the layout, a block as many as its tiler"},
	{
		says: "assertionerror|curr_shape % rest_stride", tool: toolPycute, op: "composition", look: composition,
		demand: "in A o B, the stride of each leaf of B, as it goes through the modes of A, and the extent of the mode have to divide one another",
	},
	{
		says: "assertionerror|in_bound", tool: toolPycute, op: "complement", look: pyComplement,
		demand: "complement needs a layout without aliases: sorted by stride, each stride is at least the block that the smaller ones cover",
	},
	{says: "assertionerror|a % b == 0 or b % a == 0", tool: toolPycute, op: "shape_div", look: writtenOperation, demand: demandShapeDiv},
	{says: "assertionerror|len(layout) >= len(profile)", tool: toolPycute, op: "coalesce", look: pyRank, demand: "the profile has at most as many modes as the layout"},
	{says: "assertionerror|len(layouta) >= len(layoutb)", tool: toolPycute, look: pyRank, demand: "a by-mode tiler has at most as many modes as the layout"},
	{says: "assertionerror|len(crd) == len(shape)", tool: toolPycute, op: "crd2idx", look: writtenOperation, demand: demandCoord},
	{says: "assertionerror|len(idx) == len(shape)", tool: toolPycute, op: "idx2crd", look: writtenOperation, demand: demandCoord},
	{says: "assertionerror|len(crd) == len(trg)", tool: toolPycute, op: "slice", look: writtenOperation, demand: demandCoord},
	{says: "assertionerror|len(shape) == len(stride)", tool: toolPycute, op: "Layout", look: writtenOperation, demand: "shape and stride have the same nesting"},
	{says: "assertionerror", in: "composition|complement|logical_divide|logical_product|coalesce|shape_div|crd2idx|idx2crd|slice_|zipped_divide|tiled_divide", tool: toolPycute, look: pyAssert, demand: "the assertion in the line of source above the exception"},
	{says: "zerodivisionerror", in: "composition|complement|logical_divide|idx2crd|shape_div|crd2idx", tool: toolPycute, look: pyAssert, demand: "no extent and no stride that is divided by is 0; pycute itself makes zeros of layouts with aliases"},
}

// pyComplement examines the complement call in a traceback.
func pyComplement(f *failure) {
	o := f.writtenCall()
	if o.op == "complement" && len(o.args) > 0 {
		complement(f)
		return
	}
	f.use(o)
	f.Op = "complement"
	if strings.HasSuffix(o.op, "_divide") && len(o.args) == 2 && strings.Contains(o.args[1], ":") {
		f.Condition = "inside of it, the complement of the tiler " + o.args[1]
		if l, ok := layout(o.args[1]); ok {
			f.nesting("complement", l)
		}
		f.repairDivide(o)
		return
	}
	if f.Expr == "" {
		f.missing("the layout: print it before the call and paste both, as in complement((4,4):(1,2))")
	}
}

// pyRank examines operands of different ranks.
func pyRank(f *failure) {
	o := f.writtenCall()
	if len(o.args) < 2 {
		f.missing("the operands: print them and paste both with the error")
		return
	}
	if strings.Contains("composition logical_divide logical_product", o.op) {
		o.args[1] = tiler(o.args[1])
	}
	f.use(o)
	n, m := len(modes(shapeOf(o.args[1]))), len(modes(shapeOf(o.args[0])))
	f.Pair = o.args[0] + " and " + o.args[1]
	f.Condition = fmt.Sprintf("%s has %s, %s has %d", o.args[1], count(n, "mode"), o.args[0], m)
	ms := modes(o.args[1])
	if n > m && !strings.Contains(o.args[1], ":") {
		left, right := "(", ")"
		if strings.HasPrefix(o.args[1], "<") {
			left, right = "<", ">"
		}
		f.offer("only its first modes", o.with(1, left+strings.Join(ms[:m], ",")+right))
	}
	f.asItIs(o)
}

// pyAssert examines an assertion on any other line, using the function in the traceback.
func pyAssert(f *failure) {
	if n := len(f.m.frames); n > 0 {
		f.Op = strings.TrimPrefix(f.m.frames[0].name, "_")
		if src := f.m.frames[0].head; src != "" {
			f.Condition = "false: " + oneLine(strings.TrimPrefix(src, "assert "))
		}
	}
	o := f.writtenCall()
	if len(o.args) > 0 {
		f.use(o)
		if f.Op == "composition" && o.isKnown() && o.op == "composition" {
			f.composes(o, "")
			f.repairComposition(o)
		}
		if strings.HasSuffix(o.op, "_divide") && o.isKnown() {
			f.repairDivide(o)
		}
		return
	}
	f.missing("the operands: print them before the call and paste both, as in composition((4,6):(1,4), 6:3)")
}
