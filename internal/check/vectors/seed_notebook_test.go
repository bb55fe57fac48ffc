package vectors

import "fmt"

const (
	notebookA = "(9,(4,8)):(59,(13,1))"
	notebookT = "<3:3,(2,4):(1,8)>"
)

// seedNotebook holds the statements of NVIDIA's notebook on the layout algebra of the CuTe DSL. The notebook prints
// nothing, so the assertions are about the values of its code; run-time integers have the notebook's values.
var seedNotebook = []fact{
	{68, 0, truth("coalesce((2,(1,6)):(1,(6,2)))")},
	{89, 0, coalescePostConditions},
	{130, 0, truth("coalesce((2,(1,6)):(1,(6,2)), (1,1))")},
	{146, 0, all(
		is("compatible((4,3), shape((6,2):(8,2) o (4,3):(3,1)))", "true"),
		is("compatible((5,4), shape((10,2):(16,4) o (5,4):(1,5)))", "true"))},
	{160, 0, truth("(6,2):(8,2) o (4,3):(3,1)")},
	{185, 0, truth("(10,2):(16,4) o (5,4):(1,5)")},
	{196, 0, func(c *checker) {
		// CuTe cannot drop modes of unknown extent, but its layout and girih's are the same function.
		c.is("equivalent("+c.row.True+", (10,2):(16,4) o (5,4):(1,5))", "true")
		c.not("(10,2):(16,4) o (5,4):(1,5)", c.row.True)
	}},
	{227, 0, truth("(12,(4,8)):(59,(13,1)) o (3,8)")},
	{266, 0, truth("logical_divide((4,2,3):(2,1,8), 4:2)")},
	{306, 0, truth("logical_divide(" + notebookA + ", " + notebookT + ")")},
	{341, 0, truth("zipped_divide(" + notebookA + ", " + notebookT + ")")},
	{373, 0, truth("tiled_divide(" + notebookA + ", " + notebookT + ")")},
	{405, 0, truth("flat_divide(" + notebookA + ", " + notebookT + ")")},
	{290, 0, truthOnly("shape(logical_divide(" + notebookA + ", " + notebookT + "))")},
	{435, 0, truth("logical_product((2,2):(4,1), 6:1)")},
	{468, 0, truth("blocked_product((2,5):(5,1), (3,4):(1,3))")},
	{471, 0, truth("raked_product((2,5):(5,1), (3,4):(1,3))")},
	{505, 0, truth("zipped_product((2,5):(5,1), (3,4):(1,3))")},
	{508, 0, truth("tiled_product((2,5):(5,1), (3,4):(1,3))")},
	{511, 0, truth("flat_product((2,5):(5,1), (3,4):(1,3))")},
	{494, 0, all(
		is("shape(zipped_product((2,5):(5,1), <3:5,4:6>))", "((2,5),(3,4))"),
		is("shape(tiled_product((2,5):(5,1), <3:5,4:6>))", "((2,5),3,4)"),
		is("shape(flat_product((2,5):(5,1), <3:5,4:6>))", "(2,5,3,4)"),
		is("shape(zipped_product((2,5,7):(5,1,10), <3:5>))", "((2),(3,5,7))"))},
}

// coalescePostConditions asserts that the size stays, the depth is at most 1, and the values are the same.
func coalescePostConditions(c *checker) {
	const l = "((2,(3,4)),(3,2),1):((4,(8,24)),(2,6),12)"
	c.is("coalesce("+l+")", "(24,6):(4,2)")
	c.is("size("+l+")", "144")
	c.is("size(coalesce("+l+"))", "144")
	c.is("depth(coalesce("+l+"))", "1")
	a, r := layoutText(l), layoutText("(24,6):(4,2)")
	for i := range int64(144) {
		c.holds(a.At(i) == r.At(i), "at %d: %d and %d", i, a.At(i), r.At(i))
		c.is(fmt.Sprintf("(%s)(%d)", l, i), fmt.Sprint(r.At(i)))
	}
}
