package vectors

import (
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"

	"girih/internal/why/judge"
)

// TestVerdicts runs rows that must pass, fail, be documented and be skipped. The wrong rows claim that right answers
// are wrong, or that wrong answers are right.
func TestVerdicts(t *testing.T) {
	t.Parallel()
	const unit, ok, refused = "op\tA\tB\tresult\n", "file\tcase\top\tattrs\tinputs\toutputs\nf\tcase\t", "file\tcase\top\tattrs\tinputs\nf\t"
	for _, c := range []struct {
		want verdict
		kind kind
		text string
	}{
		// These are rows of algebra.jsonl: the exact text, or a refusal.
		{passed, 0, `{"op":"composition","args":["(6,2):(8,2)","(4,3):(3,1)"],"cute_dsl":"((2,2),3):((24,2),8)","cute_ok":true,"exact":"((2,2),3):((24,2),8)"}`},
		{failed, 0, `{"op":"composition","args":["(6,2):(8,2)","(4,3):(3,1)"],"cute_dsl":"((2,2),3):((24,2),8)","cute_ok":true,"exact":"((2,2),3):((24,2),9)"}`},
		{failed, 0, `{"op":"composition","args":["(6,2):(8,2)","(4,3):(3,1)"],"cute_dsl":null,"exact":null}`},
		{failed, 0, `{"op":"composition","args":["(6,2):(1,7)","(3,2):(2,3)"],"cute_dsl":"(3,2):(2,3)","cute_ok":true,"exact":"(3,2):(2,3)"}`},
		{passed, 0, `{"op":"composition","args":["(6,2):(1,7)","(3,2):(2,3)"],"cute_dsl":"(3,2):(2,3)","cute_ok":false,"exact":null}`},
		{failed, 0, `{"op":"composition","args":["(6,2):(1,7)","(3,2):(2,3)"],"cute_dsl":"(3,2):(2,3)","cute_ok":true,"exact":null}`},
		{documented, unitStride, `{"op":"coalesce","args":["1:7"],"cute_dsl":"1:7","cute_ok":true,"exact":"1:0"}`},
		{skipped, 0, `{"op":"no_such_operation","args":["1:7"],"cute_dsl":null}`},
		// For divides, the padding must be CuTe's, or keep every element.
		{passed, 0, `{"op":"logical_divide","args":["(5,4):(1,30)","4:1"],"cute_dsl":"(4,(2,4)):(1,(4,30))","cute_ok":false}`},
		{passed, 0, `{"op":"logical_divide","args":["(2,3,4):(1,2,6)","8:1"],"cute_dsl":"(8,2):(1,8)","cute_ok":false}`},
		{documented, otherPadding, `{"op":"logical_divide","args":["(5,6,8):(1,5,30)","4:1"],"cute_dsl":"(4,96):(1,4)","cute_ok":false}`},
		{failed, 0, `{"op":"logical_divide","args":["24:1","4:1"],"cute_dsl":"(2,2,6):(1,2,4)","cute_ok":true}`},
		{failed, 0, `{"op":"logical_divide","args":["24:1","(2,2):(1,8)"],"cute_dsl":"((2,2),(2,4)):((1,8),(4,2))","cute_ok":true}`},
		// These are products; some of them carry.
		{documented, productCarry, `{"op":"logical_product","args":["3:64","(3,10):(30,3)"],"cute_dsl":"(3,(3,10)):(64,(30,3))","cute_ok":true}`},
		{passed, 0, `{"op":"logical_product","args":["3:64","(3,10):(30,3)"],"cute_dsl":"(3,(3,10)):(64,(30,3))","cute_ok":null}`},
		{failed, 0, `{"op":"logical_product","args":["(2,2):(4,1)","6:1"],"cute_dsl":"(2,2,(2,3)):(4,1,(2,8))","cute_ok":true}`},
		// Inverses.
		{documented, generalInverse, `{"op":"left_inverse","args":["(32,2):(2,2)"],"cute_dsl":"(2,2):(0,32)","cute_ok":false}`},
		{passed, 0, `{"op":"right_inverse","args":["(3,2):(2,1)"],"cute_dsl":"(2,3):(3,1)","cute_ok":true}`},
		// These are C++ unit tests.
		{passed, 0, unit + "complement\t_4:_2\t_16\t(_2,_2):(_1,_8)"},
		{documented, wrongRecord, unit + "complement\t_4:_2\t_16\t(_2,_4):(_1,_4)"},
		{failed, 0, unit + "complement\t_4:_2\t_16\t((_2,_2)):((_1,_8))"},
		{documented, runTime, unit + "complement\t_4:_2\t(_2,2)\t(_2,1):(_1,8)"},
		{documented, noComplementKind, unit + "complement\t(_4,_2):(_1,_10)\t_14\t_2:_4"},
		{documented, wrongRecord, unit + "left_inverse\t_4:_-1\t\t(_-1,_4):(_0,_1)"},
		{documented, otherInverse, unit + "left_inverse\t_4:_0\t\t_4:_0"},
		{documented, rakedModes, unit + "raked_product\t_128:_1\t(_4,_4):(_1,_4)\t((_4,_128),(_4,_1)):((_128,_1),(_512,_0))"},
		{failed, 0, unit + "nullspace\t(_2,_2,_2):(_1,_0,_2)\t\t_2:_4"},
		{documented, keptChain, unit + "composition\t(_8,_8):(_8,_1) o Sw<2,0,-3> o _0\t(_8,_8):(_8,_1)\tSw<2,0,3> o _0 o (_8,_8):(_1,_8)"},
		{failed, 0, unit + "composition\t(_8,_8):(_8,_1) o Sw<2,0,-3> o _0\t(_8,_8):(_8,_1)\tSw<2,0,2> o _0 o (_8,_8):(_1,_8)"},
		// These are rows of the dialect.
		{passed, 0, ok + "slice\t\tlayout:(2,3,4):(1,2,6) ; coord:(0,_,1)\tlayout:(3):(2)"},
		{documented, keptChain, ok + "slice\t\tcomposed_layout:S<2,0,2> o 0 o (4,4):(1,4) ; coord:(_,3)\tlayout:(4):(-1)"},
		{failed, 0, ok + "slice\t\tcomposed_layout:S<2,0,2> o 0 o (4,4):(1,4) ; coord:(_,3)\tlayout:(4):(1)"},
		{failed, 0, ok + "slice\t\tlayout:(2,3,4):(1,2,6) ; coord:(0,_,1)\tlayout:3:2"},
		{failed, 0, ok + "get\t<[1]>\tint_tuple:(3,(4,5))\tint_tuple:(4,6)"},
		{passed, 0, ok + "coalesce\t\tlayout:(4,?):(1,4)\tlayout:(4,?):(1,4)"},
		{documented, runTimeForm, ok + "logical_divide\t\tlayout:(?,?):(?,?) ; layout:(3,4):(1,3)\tlayout:(((?,?),(?,?)),((?,?),(?,?))):(((?,?),(?,?)),((?,?),(?,?)))"},
		{documented, unitMode, ok + "complement\t\tlayout:(4,2):(1,12)\tlayout:(3,1):(4,24)"},
		{documented, uncoalesced, ok + "coalesce\t\tlayout:(4,3):(1,5) ; coord:(1)\tlayout:((2,2),3):((1,2),5)"},
		{documented, missingModes, ok + "tuple_sub\t\tint_tuple:(5,8) ; int_tuple:(1,2,3)\tint_tuple:(4,6,3)"},
		{failed, 0, ok + "tuple_sub\t\tint_tuple:(5,8) ; int_tuple:(1,2,3)\tint_tuple:(4,6,4)"},
		{passed, 0, refused + "mode_out_of_range\tget\t<[5]>\tlayout:(4,8):(1,4)"},
		{failed, 0, refused + "mode_out_of_range\tget\t<[1]>\tlayout:(4,8):(1,4)"},
		{skipped, 0, refused + "bad_operand_coord\ttuple_product\t\tcoord:(2,3)"},
		{documented, answered, refused + "scaled_basis_stride\tcomplement\t\tlayout:(2,3):(1@0,1@1) ; shape:(4,6)"},
		{documented, answered, refused + "order_out_of_range\ttile_to_shape\t\tlayout:(4,4):(1,4) ; shape:(8,8) ; int_tuple:(5,3)"},
		// These cases are described in words.
		{passed, 0, `[{"id":"U","operation":"composition(A,B)","inputs":{"A":"(2,3):(1,2)","B":"(2,3):(3,1)","A_of_B_table":[0,3,"..."]},"expected_answer":"(2,3):(3,1) of course"}]`},
		{failed, 0, `[{"id":"U","operation":"composition(A,B)","inputs":{"A":"(2,3):(1,2)","B":"(2,3):(3,1)","A_of_B_table":[0,4,"..."]},"expected_answer":"(2,3):(3,1)"}]`},
		{failed, 0, `[{"id":"U","operation":"complement(A,n)","inputs":{"A":"4:2","cotarget":16},"expected_answer":"(2,4):(1,4)"}]`},
		{documented, noComplementKind, `[{"id":"U","operation":"complement(A,n)","inputs":{"A":"(4,2):(1,6)","cotarget":24},"expected_answer":"2:12"}]`},
		{failed, 0, `[{"id":"U","operation":"complement(A,n)","inputs":{"A":"4:2","cotarget":16},"expected_answer":"REJECT: no"}]`},
		{passed, 0, `[{"id":"U","operation":"solve: X = right_inverse(A)","inputs":{"A":"(2,3):(3,1)"},"expected_answer":"X = (3,2):(2,1); A o X = (3,2):(1,3) or so"}]`},
		{failed, 0, `[{"id":"U","operation":"solve: X = right_inverse(A)","inputs":{"A":"(2,3):(3,1)"},"expected_answer":"X = (3,2):(2,1); A o X = 6:1"}]`},
		{skipped, 0, `[{"id":"U","operation":"coalesce(A)","inputs":{"A":"(16,?64):(8,128)"},"expected_answer":"1024:8"}]`},
		{skipped, 0, `[{"id":"U","operation":"bank_conflicts","inputs":{"layout":"(8,8):(1,8)"},"expected_answer":"none"}]`},
		{passed, 0, `[{"id":"B","operation":"upcast by 4","inputs":"(8,4):(1,10)","actual":"","expected":"reject: 4 does not divide 10"}]`},
		{failed, 0, `[{"id":"B","operation":"upcast by 4","inputs":"(8,4):(1,12)","actual":"","expected":"reject"}]`},
		{failed, 0, `[{"id":"B","operation":"layout()","inputs":"(4,4):(4,1) at (1,0), 32-bit","actual":"","expected":"4; size 17"}]`},
		{documented, noOffset, `[{"id":"B","operation":"idx2crd","inputs":"7,(1,(2,2)),(0,(1,2))","actual":"","expected":"(0,(1,1))"}]`},
		{failed, 0, `[{"id":"B","operation":"idx2crd","inputs":"3,(1,(2,2)),(0,(1,2))","actual":"","expected":"(0,(0,1))"}]`},
		{failed, 0, `[{"id":"N","kind":"x","text":"_4:_1","canonical":"4:2"}]`},
		{failed, 0, `[{"id":"N","kind":"x","text":"nothing here","canonical":"4:2"}]`},
		{skipped, 0, `[{"id":"N","kind":"x","text":"#ttg.dot_op<{opIdx = 1, parent = #mma, kWidth = 1}>","canonical":"dot operand"}]`},
		{failed, 0, "(_2,_2):(_2,_1)\n       0    1 \n    +----+----+\n 0  |  0 |  1 |\n    +----+----+\n 1  |  2 |  4 |\n    +----+----+\n"},
	} {
		r, err := Run("x", strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		got := map[verdict]int{
			passed: r.NumPassed(), failed: r.NumFailed(), documented: r.NumDocumented(), skipped: r.NumSkipped(),
		}
		if got[c.want] != 1 || r.Rows() != 1 {
			t.Errorf("%s\n%d passed, %d failed, %d documented, %d skipped; failures %v, differences %v",
				c.text, got[passed], got[failed], got[documented], got[skipped], r.Failures, r.Differences)
			continue
		}
		if c.want == documented && r.Differences[0].Kind != c.kind.String() {
			t.Errorf("%s\nkind %q, want %q", c.text, r.Differences[0].Kind, c.kind)
		}
	}
}

// readAlgebra returns the rows of algebra.jsonl.
var readAlgebra = sync.OnceValues(func() ([]vector, error) {
	data, err := os.ReadFile("../../../conformance/algebra.jsonl")
	if err != nil {
		return nil, err
	}
	var rows []vector
	for line := range strings.Lines(string(data)) {
		var v vector
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			return nil, err
		}
		rows = append(rows, v)
	}
	return rows, nil
})

func algebraRows(t *testing.T) []vector {
	t.Helper()
	rows, err := readAlgebra()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestDefinitionsCatch checks that an answer with one stride changed breaks the definition.
func TestDefinitionsCatch(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("looks at thousands of answers")
	}
	caught := map[string]int{}
	for n, v := range algebraRows(t) {
		if n%4 != 0 { // a quarter of the rows
			continue
		}
		a := ask(v.Op + "(" + strings.Join(v.Args, ", ") + ")")
		q, ok := newQuery(v.Op, v.Args)
		if a.isRefusal() || !ok {
			continue
		}
		r, ok := judge.ReadLayout(a.text())
		switch {
		case !ok || !bend(&r):
			continue // the mode has size 1
		case judge.AnyDivide(v.Op) && r.Leaves().Size() > q.A.Leaves().Size(),
			v.Op == "left_inverse" && !judge.Injective(q.A.Leaves().Table()):
			continue // the changed mode may be padding, or lead to an index with the same offset
		}

		if f, _ := q.Satisfies(r); f == judge.Holds {
			t.Errorf("line %d: %s(%v): %s passes for %s", n+1, v.Op, v.Args, r.String(), a.text())
		}
		caught[v.Op]++
	}
	for _, op := range []string{
		"coalesce", "composition", "complement", "right_inverse", "left_inverse", "logical_divide", "zipped_divide", "tiled_divide",
		"flat_divide", "logical_product", "zipped_product", "blocked_product", "raked_product",
	} {
		if caught[op] == 0 {
			t.Errorf("no answer of %s was changed", op)
		}
	}
}

// bend changes the stride of the last leaf with an extent above 1, and reports whether there is such a leaf. It adds a
// number far above every other stride.
func bend(m *judge.Mode) bool {
	if !m.Tuple {
		if m.S == 1 {
			return false
		}
		m.D += 1 << 40
		return true
	}
	for i := range m.Kids {
		if bend(&m.Kids[len(m.Kids)-1-i]) {
			return true
		}
	}
	return false
}
