package explain

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/atom"
	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/long"
)

// TestJumpsRebuildEveryAtom checks that, for every operand of every instruction in the tables, the jumps rebuild the
// layout, and the formulas compute the layout's places.
func TestJumpsRebuildEveryAtom(t *testing.T) {
	t.Parallel()
	atoms, formulas := 0, 0
	for m := range atom.MMAs() {
		atoms++
		if testing.Short() && atoms%7 != 0 || long.Skips(atoms, 3) {
			continue
		}
		for _, o := range abc {
			p, err := operandPanel(m, o)
			if err != nil {
				t.Fatalf("%s %v: %v", m.Name, o, err)
			}
			r := p.derived
			if eq, d := cute.Equivalent(r, m.TV(o)); !eq {
				t.Fatalf("%s %v: derived %v, table %v: %v", m.Name, o, r, m.TV(o), d)
			}
			f, ok := p.formulaOf()
			if !ok {
				t.Logf("%s %v %v has no formula", m.Name, o, m.TV(o))
				continue
			}
			formulas++
			if atoms%17 == 0 || len(p.tableT)*len(p.tableV) <= 2048 {
				checkFormula(t, m, o, p, f)
			}
		}
	}
	t.Logf("%d atoms, %d formulas", atoms, formulas)
	if atoms < 1000 || formulas == 0 {
		t.Errorf("%d atoms with %d formulas", atoms, formulas)
	}
}

// A fataler is a *testing.T or a *rapid.T.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// checkFormula evaluates the formulas at every thread and value, and compares them with the definition.
func checkFormula(t fataler, m atom.MMA, o atom.Operand, p panel, f formula) {
	t.Helper()
	for th, dt := range p.tableT {
		for v, dv := range p.tableV {
			i := dt + dv
			row, column, block := i%p.rows, i/p.rows%p.columns, i/(p.rows*p.columns)
			a, b, c := eval(f.row, int64(th), int64(v)), eval(f.column, int64(th), int64(v)), eval(f.block, int64(th), int64(v))
			if a != row || b != column || c != block {
				t.Fatalf("%s %v: T%d V%d is (%d,%d) of block %d, the formula gives (%d,%d) of block %d",
					m.Name, o, th, v, row, column, block, a, b, c)
			}
		}
	}
}

// eval evaluates a sum of terms at a thread and a value.
func eval(ts []term, thread, value int64) int64 {
	sum := int64(0)
	for _, t := range ts {
		x := thread
		if t.value {
			x = value
		}
		sum += t.step * (x / t.size % t.extent)
	}
	return sum
}

// TestSeedJumps checks the known jumps of instructions of Volta and Hopper.
func TestSeedJumps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		operand atom.Operand
		want    string
	}{
		{"SM70_8x8x4_F32F16F16F32_NT", atom.OperandC, "((2,2,2),(2,2,2)):((1,16,4),(8,2,32))"},
		{"SM70_8x8x4_F16F16F16F16_TN", atom.OperandC, "(8,8):(1,8)"},
		{"SM70_8x8x4_F32F16F16F32_TN", atom.OperandA, "(8,4):(1,8)"},
		{"SM70_8x8x4_F32F16F16F32_TN", atom.OperandB, "(8,4):(1,8)"},
		{"SM70_8x8x4_F32F16F16F32_NT", atom.OperandA, "((4,2),4):((8,4),1)"},
		{"SM70_8x8x4_F32F16F16F32_NT", atom.OperandB, "((4,2),4):((8,4),1)"},
		{"SM90_64x8x16_F16F16F16_SS", atom.OperandC, "((4,8,4),(2,2)):((128,1,16),(64,8))"},
		{"SM90_64x128x16_F16F16F16_SS", atom.OperandC, "((4,8,4),(2,2,16)):((128,1,16),(64,8,512))"},
		{"SM90_64x128x16_F16F16F16_RS", atom.OperandA, "((4,8,4),(2,2,2)):((128,1,16),(64,8,512))"},
	} {
		m, err := atom.FindMMA(c.name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := operandPanel(m, c.operand)
		if err != nil {
			t.Fatal(err)
		}
		if r := p.derived; r.String() != c.want {
			t.Errorf("%s %v: derived %v, want %s", c.name, c.operand, r, c.want)
		}
	}
}

// TestFormulaOfManual checks that the formulas equal the formulas of the PTX ISA for m16n8k16: "Matrix Fragments for
// mma.m16n8k16 with floating point type".
func TestFormulaOfManual(t *testing.T) {
	t.Parallel()
	m, err := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	if err != nil {
		t.Fatal(err)
	}
	p, err := operandPanel(m, atom.OperandA)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(p.formulaLines(32), "\n")
	want := strings.Join([]string{
		"groupID            =  t/4",
		"threadID_in_group  =  t%4",
		"m                  =  groupID + 8·((i/2)%2)",
		"k                  =  2·threadID_in_group + i%2 + 8·(i/4)",
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestFormulaSplitsColumns checks that a mode that crosses the end of a column becomes two digits, and that a mode that
// moves in both directions at once becomes as many digits as the formula needs.
func TestFormulaSplitsColumns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		extents  [3]int64
		tv, want string
	}{
		{[3]int64{8, 4, 1}, "(16,2):(2,1)", "m  =  2·(t%4) + i; k  =  t/4"},
		{[3]int64{32, 24, 1}, "(8,2):(40,3)", "m  =  8·(t%4) + 3·i; k  =  t%4 + 5·(t/4)"},
		{[3]int64{16, 16, 1}, "((2,4),1):((1,24),3)", "m  =  t%2 + 8·((t/2)%2); k  =  (t/2)%2 + 3·(t/4)"},
		{[3]int64{12, 16, 1}, "(6,1):(16,2)", "m  =  4·(t%3); k  =  t%3 + 4·(t/3)"},
		{[3]int64{4, 2, 2}, "(8,2):(2,1)", "m      =  2·(t%2) + i; k      =  (t/2)%2; block  =  t/4"},
		{[3]int64{8, 4, 1}, "(4,2):(5,1)", "index  =  5·t + i; m      =  index % 8; k      =  index / 8"},
		{[3]int64{8, 4, 1}, "(8,2):(8,1)", "index  =  8·t + i; m      =  index % 8; k      =  index / 8"}, // outside
	} {
		p, err := newPanel("A", [2]string{"M", "K"}, c.extents, cute.MustParse(c.tv))
		if err != nil {
			t.Fatal(err)
		}
		if f, ok := p.formulaOf(); ok {
			checkFormula(t, atom.MMA{}, atom.OperandA, p, f)
		}
		if got := strings.Join(p.formulaLines(16), "; "); got != c.want {
			t.Errorf("%v: got %s, want %s", c.tv, got, c.want)
		}
	}
}

// TestFormulaHolds checks, at every place, the formula of an arbitrary layout of threads and values.
func TestFormulaHolds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tv, err := cute.MakeLayout(gen.NonNegativeLayouts().Draw(t, "threads"), gen.NonNegativeLayouts().Draw(t, "values"))
		if err != nil {
			t.Fatal(err)
		}
		extent := rapid.SampledFrom([]int64{1, 2, 3, 4, 6, 8, 12, 16})
		p, err := newPanel("A", [2]string{"M", "K"}, [3]int64{extent.Draw(t, "M"), 64, 8}, tv)
		if err != nil {
			t.Skip(err)
		}
		if f, ok := p.formulaOf(); ok {
			checkFormula(t, atom.MMA{}, atom.OperandA, p, f)
		}
	})
}
