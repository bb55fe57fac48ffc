package service

import (
	"strings"
	"testing"
)

// TestExplainWalkThroughs looks in the output of explain for the lines that a tutorial derives by hand. The test's
// sections follow "CUTLASS CuTe, Layout Algebra": basics, coalesce and concatenation, complement, compose, inverse,
// divide, product.
func TestExplainWalkThroughs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		expr  string
		lines []string
	}{
		{"idx2crd(4, (2,3))", []string{
			"     2   4/1 = 4   4 mod 2 = 0       0",
			"     3   4/2 = 2   not reduced       2",
			"The digits in the nesting of the shape: (0,2).",
		}},
		{"crd2idx((1,2), (2,3))", []string{"2:1             1        1         1", "3:2             2        2         4", "1 + 4 = 5"}},
		{"layout_left((2,3))", []string{"     2        1             2", "     3        2             6", "(2,3):(1,2)"}},
		{"layout_right((2,3))", []string{"     3        1             3", "     2        3             6", "(2,3):(3,1)"}},
		{"coalesce((2,3):(1,2))", []string{"3:2    6:1           2 = 2·1: merges with 2:1 into 6:1"}},
		{"make_layout((2,3):(1,2), 4:10)", []string{"result      0 = (2,3):(1,2), 1 = 4:10"}},
		{"complement(4:2, 8)", []string{
			"4:2               1   2/1 = 2              2:1         4·2 = 8",
			"(A,R) = (4,2):(2,1)",
			"A       0 2 4 6", "R       0 1", "(A,R)   0 2 4 6 1 3 5 7",
			"the 8 offsets of (A,R), 4 of A times 2 of R, are 0 to 7, each once",
		}},
		{"complement((2,3):(2,4), 24)", []string{
			"2:2               1   2/1 = 2              2:1         2·2 = 4",
			"3:4               4   4/4 = 1              nothing     3·4 = 12",
			"it is repeated by 2:12",
			"R      0 1 12 13",
			"in the order of the strides is (2,6,2):(1,2,12)",
		}},
		// Map (thread,value) to coordinates of a tile, and these coordinates to memory: the values of thread 0 are at
		// indices 0, 4, 8 and 12.
		{"(4,4):(4,1) o (4,2,2):(2,1,8)", []string{
			"2        (2,0)   2·4 = 8      2 of 4: digit 0 is full (2·2 of   2:8",
			"((2,2),2,2):((8,1),4,2)",
			" 0   (0,0,0)              0   (0,0)                          0",
			" 4   (0,1,0)              1   (1,0)                          4",
			" 8   (0,0,1)              8   (0,2)                          2",
			"12   (0,1,1)              9   (1,2)                          6",
		}},
		{"inverse((2,3):(3,1))", []string{
			"3:1    0                1 continues                 2   3:2",
			"2:3    0 to 2           3 continues                 1   2:1",
			"offset  0 3 1 4 2 5", "index   0 2 4 1 3 5",
			"with_shape(R, ...)",
		}},
		{"logical_divide(16:1, 4:2)", []string{"B* = (2,2):(1,8)", "(B,B*) = (4,(2,2)):(2,(1,8))"}},
		{"logical_divide((5,4):(1,30), 4:1)", []string{"B* = 8:4, 8 tiles", "so it is padded: (8,4):(1,30)", "20 elements of A in 32 coordinates, 12 of them padding"}},
		{"zipped_divide((8,8):(8,1), <4,2>)", []string{"Mode 0 of A = 8:8 by B = 4:1", "Mode 1 of A = 8:1 by B = 2:1", "((4,2),(2,4)):((8,1),(32,2))"}},
		{"blocked_product((2,5):(5,1), (3,4):(1,3))", []string{"A* o B = (3,4):(10,30)", "   0   2:5     3:10     (2,3):(5,10)", "   1   5:1     4:30     (5,4):(1,30)"}},
		{"raked_product((2,5):(5,1), (3,4):(1,3))", []string{"   0   2:5     3:10     (3,2):(10,5)"}},
		{"logical_product((2,5):(5,1), <3:5,4:6>)", []string{"Mode 0 of A = 2:5", "Mode 1 of A = 5:1"}},
		{"logical_product((4,5):(30,1), (2,4):(1,2))", []string{"3 does not divide 4: after 3 steps of 2 digit 0 reaches 3·2 = 6, its extent is 6"}},
		{"blocked_product((4,3):(4,1), (1,2))", []string{"((4,1),(3,2)):((4,0),(1,16))"}},
	} {
		var s Session
		r := s.Explain(ExplainRequest{Expr: c.expr, Top: true})
		text := r.Text(1000)
		for _, want := range c.lines {
			if !strings.Contains(text, want) {
				t.Errorf("the explanation of %s lacks %q:\n%s", c.expr, want, r.Text(100))
			}
		}
	}
}
