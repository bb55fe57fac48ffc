package vectors

import (
	"encoding/json"
	"strings"
	"testing"
)

// runPeer runs one row.
func runPeer(t *testing.T, expr, expected string) *Report {
	t.Helper()
	row, err := json.Marshal(map[string]string{
		"source": "suite test", "expression": expr, "expected": expected, "verdict": "agree", "note": "",
	})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run("x", strings.NewReader(string(row)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPeers checks that each form of expectation passes, or has its kind of difference, whatever the row claims.
func TestPeers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ expr, expected, kind string }{
		{"size((4,2):(1,4))", "8", ""},
		{"flatten(((4, 3), 1):((3, 1), 0))", "(4, 3, 1):(3, 1, 0) = (4,3,1):(3,1,0)", ""},
		{"composition((2,4):(4,1), Sw<3,0,3> o 0 o 8:2)", "(2,4):(4,1) o 0 o (Sw<3,0,3> o 0 o 8:2)", ""},
		{"holes(4:2)", "#3", ""},
		{"image(4:-1)", "(-3,-2,-1,0)", ""},
		{"matrix(linear((2,2):(2,1)))", "[[0, 1], [1, 0]]", ""},
		{"left_inverse((63,2):(1,1))", "error: ValueError", ""},
		{"composition((4,3):(6@1,2@1), (6,2):(2,1))", "any", ""},
		{"right_inverse((4,5):(1@1,1@0))", "any", ""},
		{"left_inverse((4,5):(2@0,2@1))", "post-condition", ""},
		{"zipped_divide((8,8):(9,1), 4:1@0)", "any", ""},
		{"complement((4,6):(1,6))", "post-condition", ""},
		{"(N,8):(X,Y) o 4:1", "any", ""},
		{"(4,4):((1,1),(3,1)) o (4,2):(2,1)", "any", ""},
		{"greatest_common_domain((4,6),(2,12))", "?", ""},
		{"linear(blocked{sizePerThread=[1], threadsPerWarp=[8], warpsPerCTA=[4], order=[0]}, (4))", "tensor view, 4 elements", ""},
		{"linear(swizzled_shared{vec=2, perPhase=1, maxPhase=32, order=[1,0]}, (8,32))", "256 offsets", ""},
		{"Sw<2,3,3> o 0 o (32,2,64):(1,2048,32) --type f16 --access ld.16 --threads ((2,2,2,2,2),(2,2,2,2,2)):((128,256,1,2,4),(64,8,512,1024,2048))", "0 conflicts", ""},
		{"girih read: Layout<_4,_1>", "4:1", ""},
		{"composition((6,2):(1,7), (3,2):(2,3))", "any", ""}, // there is no answer, and girih refuses
		{"composition((4,?):(1,4), 4:1)", "4:1", ""},
		{"coalesce((?,2):(1,?))", "(?,2):(1,?)", ""},
		{"logical_divide((12):(1), (3):(1))", "(3, 4):(1, 3)", oneTuples.String()},
		{"composition((4,8,16):(1,4,32), <2:1>)", "(2,8,16):(1,4,32)", untiledModes.String()},
		{"coalesce((2,2,2,2,2,2):(1,2,4,8,16,32), (4,4,4))", "(4,4,4):(1,4,16)", profileExtents.String()},
		{"is_surjective(4:2, 4)", "true", countedOffsets.String()},
		{"is_bijective(4:-1)", "true", countedOffsets.String()},
		{"increment((2,3),(3,4))", "(0,0)", pastTheEnd.String()},
		{"size(Sw<2,0,1> o 0 o 8:1)", "8", badSwizzle.String()},
		{"rank(2)", "0", integerRank.String()},
		{"downcast(24:2,8)", "24:16", wrongRecord.String()},
		{"elem_less((1, 2, 3), (1, 2, 4))", "true = true", wrongRecord.String()},
		{"composition((4,5):(5,1),30:1@0)", "(4,5):(5,1)", wrongRecord.String()},
		{"make_ordered_layout((4,8), (0,2))", "error: ValueError", answered.String()},
		{"matrix(linear(6:1))", "error: ValueError", answered.String()},
		{"right_inverse((4,N):(1,4))", "(4,N):(1,4)", runTimeForm.String()},
		{"flat_divide((8,6):(1,8), 2)", "(2,4,6):(1,2,8)", uncoalesced.String()},
		{"tile_to_shape((4,8):(1,4), (4,8))", "((4,1),(8,1)):((1,32),(4,32))", unitStride.String()},
	} {
		r := runPeer(t, c.expr, c.expected)
		switch {
		case c.kind == "" && r.NumPassed() != 1:
			t.Errorf("%s, %s: %+v", c.expr, c.expected, r)
		case c.kind != "" && (r.NumDocumented() != 1 || r.Differences[0].Kind != c.kind):
			t.Errorf("%s, %s: %+v, want the difference %s", c.expr, c.expected, r, c.kind)
		}
	}
}

// TestPeersOtherwise checks that wrong expectations fail.
func TestPeersOtherwise(t *testing.T) {
	t.Parallel()
	for expr, expected := range map[string]string{
		"size((4,2):(1,4))":                     "9",
		"holes(4:2)":                            "#4",
		"image(4:-1)":                           "(-3,-2,-1,1)",
		"matrix(linear((2,2):(2,1)))":           "[[0, 1], [1, 1]]",
		"left_inverse(4:2)":                     "error: ValueError: no answer is looked for",
		"complement((4,2):(1,4), 16)":           "2:7",
		"get<0>((4,2):(1,4))":                   "4:2",
		"is_surjective(4:2, 7)":                 "true",
		"is_surjective(4:1)":                    "false",
		"increment((2,2),(3,4))":                "(0,0)",
		"rank((2,2))":                           "0",
		"elem_less((1, 2), (2, 3))":             "false",
		"logical_divide((12):(1), (3):(1))":     "(3, 4):(1, 4)",
		"composition((4,8,16):(1,4,32), <2:1>)": "(2,8,16):(1,4,16)",
		"downcast(24:1,8)":                      "192:2",
		"upcast(24:5,8)":                        "3:5",
		"no_such_function(4:1)":                 "4:1",
		"linear(blocked{sizePerThread=[1], threadsPerWarp=[8], warpsPerCTA=[4], order=[0]}, (4))": "tensor view, 8 elements",
		"64:32 --type f32 --access ld.32 --threads (32,1):(1,0)":                                  "0 conflicts",
		"girih read: Layout<_4,_2>":  "4:1",
		"right_inverse((4,N):(1,5))": "error: it has none",
	} {
		r := runPeer(t, expr, expected)
		if expr == "left_inverse(4:2)" || expr == "right_inverse((4,N):(1,5))" {
			if r.NumDocumented()+r.NumFailed() != 1 {
				t.Errorf("%s, %s: %+v, want no pass", expr, expected, r)
			}
			continue
		}
		if r.NumFailed() != 1 && !(r.NumDocumented() == 1 && (r.Differences[0].Kind == wrongRecord.String())) {
			t.Errorf("%s, %s: %+v, want a failure", expr, expected, r)
		}
	}
}
