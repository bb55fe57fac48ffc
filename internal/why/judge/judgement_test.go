package judge

import "testing"

func TestJudge(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		op, a, b, answer string
		standing         Standing
		why              string
		at               Deviation // the deviation of a wrong answer, or zero
	}{
		{op: "composition", a: "(4,3):(1,100)", b: "4:3", answer: "(2,2):(3,100)", standing: Wrong, at: Deviation{Index: 2, Got: 100, Want: 102}},
		{op: "composition", a: "(6,3):(3,1)", b: "3:3", answer: "2:9", standing: Wrong, at: Deviation{Index: 2, Want: 1, Short: true}},
		{op: "composition", a: "8:1", b: "4:1", answer: "8:1", standing: Wrong, why: "8 elements for 4"},
		{op: "composition", a: "((2,3),4):((5,7),11)", b: "(6,2):(1@0,2@1)", answer: "((2,3),2):((5,7),22)", standing: Right},
		{op: "composition", a: "((2,3),4):((5,7),11)", b: "(6,2):(1@0,2@1)", answer: "((2,3),2):((5,7),11)", standing: Wrong, at: Deviation{Index: 6, Got: 11, Want: 22}},
		{op: "composition", a: "(4,(2,3)):(6,(3,1))", b: "(2,4):(1@1@1,1@0)", answer: "(2,4):(1,6)", standing: Right},
		{op: "composition", a: "(4,3):(1,100)", b: "(2,2):(1,1@0)", answer: "(2,2):(1,1)", standing: Unjudged, why: "strides are coordinates"},
		{op: "coalesce", a: "(2,3):(1,2)", answer: "6:2", standing: Wrong, at: Deviation{Index: 1, Got: 2, Want: 1}},
		{op: "coalesce", a: "(2,3):(1,2)", b: "(1,1)", answer: "(2,3):(1,2)", standing: Right},
		{op: "coalesce", a: "2:1", answer: "(2,0):(1,2)", standing: Wrong, why: "an extent is 0 or negative, so it is no layout"},
		{op: "complement", a: "(4,2):(1,6)", b: "24", answer: "2:12", standing: Weak, why: "A and the complement cover 16 of 22 offsets: offset 4 stays free"},
		{op: "complement", a: "(4,2):(1,10)", b: "40", answer: "2:20", standing: Wrong, why: "A and the complement cover 16 of 34 offsets: offset 4 stays free"},
		{op: "complement", a: "(4,2):(1,10)", b: "40", answer: "(2,2):(20,4)", standing: Wrong, why: "A and the complement cover 32 of 38 offsets: offset 8 stays free"},
		{op: "complement", a: "4:2", b: "16", answer: "2:8", standing: Wrong, why: "A and the complement cover 8 of 15 offsets: offset 1 stays free"},
		{op: "complement", a: "6:1", b: "(5,5)", answer: "3:6", standing: Wrong, why: "A and the complement cover 18 offsets, less than 25"},
		{op: "complement", a: "6:1", b: "(5,5)", answer: "5:6", standing: Right},
		{op: "complement", a: "2:1", b: "(5,6)", answer: "18:2", standing: Right, why: "covers 36 offsets, where 30 are enough for 30"},
		{op: "complement", a: "2:1", b: "4", answer: "2:1", standing: Wrong, why: "A and the complement meet at offset 1"},
		{op: "logical_divide", a: "(6,4):(4,1)", b: "4:1", answer: "(4,(2,4)):(4,(16,1))", standing: Padded, why: "32 elements for 24"},
		{op: "logical_divide", a: "(2,3,4):(1,2,6)", b: "8:1", answer: "(8,2):(1,8)", standing: Wrong, why: "16 elements for 24: the element at offset 16 is missing"},
		{op: "logical_product", a: "4:1", b: "3", answer: "(3,2):(1,3)", standing: Wrong, at: Deviation{Index: 6, Want: 6, Short: true}},
		{op: "blocked_product", a: "(2,2):(1,2)", b: "2:1", answer: "((2,2),(2,1)):((1,4),(2,1))", standing: Right},
		{op: "raked_product", a: "(2,2):(1,2)", b: "2:1", answer: "((2,2),(2,1)):((1,4),(2,1))", standing: Wrong, at: Deviation{Index: 1, Got: 1, Want: 4}},

		// These tilers tile mode by mode. Index counts in the whole answer.
		{op: "composition", a: "(4,6):(1,4)", b: "<2>", answer: "(2):(1)", standing: Right},
		{op: "composition", a: "(4,6):(1,4)", b: "<2>", answer: "(2,6):(1,4)", standing: Wrong, why: "its 2 modes do not match composition by a tiler of 1"},
		{op: "logical_divide", a: "(9,(4,8)):(59,(13,1))", b: "<3:3,(2,4):(1,8)>", answer: "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))", standing: Right},
		{op: "zipped_divide", a: "(8,8):(1,8)", b: "<4,<2>>", answer: "((4,(2)),(2,(4))):((1,(8)),(4,(16)))", standing: Right},
		{op: "zipped_divide", a: "(8,8):(1,8)", b: "(4,2)", answer: "((4,2),(2,4)):((1,8),(4,17))", standing: Wrong, at: Deviation{Index: 16, Got: 17, Want: 16}},
		{op: "zipped_divide", a: "(8,(4,2)):(1,(8,32))", b: "<4,<2,_>>", answer: "((4,(2,1)),(2,(2,2))):((1,(8,0)),(4,(16,32)))", standing: Right},
		{op: "tiled_divide", a: "(8,8,3):(1,8,64)", b: "<4,_>", answer: "((4,2),2,4,3):((1,8),4,16,64)", standing: Right},
		{op: "tiled_divide", a: "(8,8,3):(1,8,64)", b: "<4,2>", answer: "((4,2),2,4,3):((1,8),4,16,65)", standing: Wrong, why: "a mode that is not tiled is 3:65, should be 3:64"},
		{op: "flat_divide", a: "(8,32):(1,8)", b: "<4:1>", answer: "((4),2,32):((1),4,8)", standing: Right},
		{op: "flat_divide", a: "(9,5):(1,9)", b: "(2,3)", answer: "(2,3,5,2):(1,9,2,27)", standing: Padded, why: "in mode 0, 10 elements for 9; in mode 1, 6 elements for 5"},
		{op: "logical_product", a: "(2,5):(5,1)", b: "<3:5,4:6>", answer: "((2,3),(5,4)):((5,10),(1,30))", standing: Right},

		// These answers have too many values to check them all.
		{op: "composition", a: "(1024,1024):(1,1024)", b: "1048576:1", answer: "1048576:1", standing: Right},
		{op: "composition", a: "(1024,1024):(1,1024)", b: "1048576:1", answer: "(1024,1024):(1,1000)", standing: Wrong, at: Deviation{Index: 1024, Got: 1000, Want: 1024}},
		{op: "composition", a: "(1024,1024):(1,1024)", b: "1048576:1", answer: "524288:1", standing: Wrong, why: "524288 elements for 1048576"},
		{op: "logical_divide", a: "1048576:2", b: "32:1", answer: "(32,32768):(2,64)", standing: Right},
		{op: "logical_product", a: "1024:1", b: "1024:1", answer: "(1024,1024):(1,1024)", standing: Right},
		{op: "left_inverse", a: "1048576:2", answer: "(2,1048576):(0,1)", standing: Unjudged, why: "there are more than 262144 values"},
		{op: "composition", a: "(2,2):(1,2305843009213693952)", b: "2:1", answer: "2:1", standing: Unjudged, why: "values may leave 64 bits"},

		{op: "nullspace", a: "4:0", answer: "4:1", standing: Unjudged, why: "there is no definition for such operands"},
	} {
		args := []string{row.a}
		if row.b != "" {
			args = append(args, row.b)
		}
		j := Answer(row.op, args, row.answer)
		at := Deviation{}
		if j.At != nil {
			at = *j.At
		}
		if j.Standing != row.standing || row.why != "" && j.Why != row.why || at != row.at {
			t.Errorf("Judge(%s %q, %s) = %d, %q, %+v; want %d, %q, %+v",
				row.op, args, row.answer, j.Standing, j.Why, at, row.standing, row.why, row.at)
		}
	}
}

func TestJudgeLooksAtTheFront(t *testing.T) {
	t.Parallel()
	if j := Answer("coalesce", []string{"(1024,1024):(1,1024)"}, "1048576:1"); j.Looked != 0 {
		t.Errorf("coalescing is decided without looking at values, looked at %d", j.Looked)
	}
	if j := Answer("composition", []string{"4:1", "1048576:0"}, "1048576:0"); j.Looked != MaxValues {
		t.Errorf("looked at %d values, want %d", j.Looked, MaxValues)
	}
}

func TestProspects(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		op, a, b string
		want     Solvability
		why      string
	}{
		{"composition", "(4,3):(1,100)", "4:3", Unsolvable, "no layout has the values A(B(i))"},
		{"composition", "(4,4):(4,1)", "(2,2):(1,5)", Solvable, "A(B(i)) is a layout"},
		{"complement", "(2,2):(2,3)", "24", Unsolvable, "the strides do not chain, so no complement exists"},
		{"logical_divide", "(6,4):(4,1)", "4:1", Unsolvable, "no layout has the values A∘(B,B*)"},
		{"logical_divide", "10:1", "4:1", Undecided, ""},
		{"logical_divide", "(8,6):(1,8)", "<4,_>", Solvable, "every mode has an answer"},
		{"zipped_divide", "(8,(6,4)):(1,(32,8))", "<4,4>", Unsolvable, "in mode 1, no layout has the values A∘(B,B*)"},
		{"zipped_divide", "(8,10):(1,8)", "<4,4>", Undecided, ""},
		{"left_inverse", "4:0", "", Unsolvable, "A repeats an offset"},
		{"nullspace", "4:0", "", Undecided, ""},
	} {
		args := []string{row.a}
		if row.b != "" {
			args = append(args, row.b)
		}
		if p, why := SolvabilityOf(row.op, args); p != row.want || why != row.why {
			t.Errorf("SolvabilityOf(%s %q) = %d, %q; want %d, %q", row.op, args, p, why, row.want, row.why)
		}
	}
}
