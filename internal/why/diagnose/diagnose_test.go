package diagnose

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"girih/internal/lang/reader"
)

var update = flag.Bool("update", false, "write testdata/findings.golden anew")

const golden = "testdata/findings.golden"

// samples returns the texts in testdata by name. The texts of gcc and clang are real output for small programs with the
// headers of CUTLASS 4.7, cut off after the first error. The other texts imitate the messages of their tools.
func samples(t testing.TB) (names []string, texts map[string]string) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	texts = make(map[string]string)
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		names = append(names, name)
		texts[name] = string(b)
	}
	return names, texts
}

// summary returns what a report says, a few lines for each finding.
func summary(r Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s: %s\n", f.Tool, f.Message)
		row := func(name, text string) {
			if text != "" {
				fmt.Fprintf(&b, "  %-9s %s\n", name, text)
			}
		}
		row("op", strings.TrimSpace(f.Op+" "+f.Expr))
		row("in", strings.TrimSpace(f.Function+" "+f.Place))
		row("via", strings.Join(f.Via, " > "))
		row("caller", f.Caller)
		for _, o := range f.Operands {
			row("operand", o.Name+" = "+o.Value)
		}
		row("condition", f.Condition)
		row("pair", f.Pair)
		row("fact", f.Fact)
		for _, x := range f.Repairs {
			row("repair", x.Say)
			row("", strings.TrimSuffix(x.Expr+" = "+x.Result, " = "))
		}
		for _, m := range f.Missing {
			row("missing", m)
		}
	}
	for _, l := range r.Layouts {
		fmt.Fprintf(&b, "%s = %s: %s\n", l.Name, l.Value, strings.Join(l.Notes, "; "))
	}
	return b.String()
}

// TestSamples compares the findings for all samples with recorded findings that a person has checked.
func TestSamples(t *testing.T) {
	t.Parallel()
	names, texts := samples(t)
	var b strings.Builder
	for _, name := range names {
		r, err := Read(texts[name], nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		fmt.Fprintf(&b, "== %s\n%s\n", name, summary(r))
	}
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	got, old := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	section := ""
	for i := range max(len(got), len(old)) {
		x, y := at(got, i), at(old, i)
		if strings.HasPrefix(y, "== ") {
			section = y
		}
		if x != y {
			t.Fatalf("%s line %d of %s:\n got %s\nwant %s", section, i+1, golden, x, y)
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end)"
}

// TestRepairsWork evaluates the repairs for all samples again, and checks that each has the value it states.
func TestRepairsWork(t *testing.T) {
	t.Parallel()
	names, texts := samples(t)
	checked := 0
	for _, name := range names {
		r, err := Read(texts[name], nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			for _, x := range f.Repairs {
				if x.Expr == "" {
					continue
				}
				v, err := new(evaluator).result(x.Expr)
				if err != nil || v != x.Result {
					t.Errorf("%s: %s = %s, %v; the repair says %s", name, x.Expr, v, err, x.Result)
				}
				if x.Expr == f.Expr && !strings.Contains(x.Say, "write the layout itself") {
					t.Errorf("%s: the repair %s is what failed", name, x.Expr)
				}
				checked++
			}
		}
	}
	if checked < 60 {
		t.Errorf("checked %d repairs, expected 60 or more", checked)
	}
}

// TestEverySampleIsDiagnosed checks that each finding gives a condition with numbers, or names a missing value.
func TestEverySampleIsDiagnosed(t *testing.T) {
	t.Parallel()
	names, texts := samples(t)
	for _, name := range names {
		r, err := Read(texts[name], nil)
		if err != nil {
			t.Fatal(err)
		}
		if name == "noerr" {
			if len(r.Findings) != 0 || len(r.Layouts) == 0 {
				t.Errorf("%s: %d findings, %d layouts", name, len(r.Findings), len(r.Layouts))
			}
			continue
		}
		if len(r.Findings) == 0 {
			t.Errorf("%s: nothing found", name)
		}
		for _, f := range r.Findings {
			if f.Demand == "" || f.Tool == "" || f.Condition == "" && len(f.Operands)+len(f.Missing)+len(f.Repairs) == 0 {
				t.Errorf("%s: a finding that says nothing: %+v", name, f)
			}
		}
	}
}

// TestPartition96 checks the repair for N = 192 with two warpgroups. Atoms of 64 columns do not divide 96, but atoms of
// 32 columns do: the program compiles with SW64 in place of SW128.
func TestPartition96(t *testing.T) {
	t.Parallel()
	_, texts := samples(t)
	r, err := Read(texts["m64n96.gcc"], nil)
	if err != nil || len(r.Findings) != 1 {
		t.Fatalf("%d findings, %v", len(r.Findings), err)
	}
	f := r.Findings[0]
	if !strings.Contains(f.Condition, "96 mod 64 = 32") || f.Caller != "m64n96.cpp:8" {
		t.Errorf("condition %q at %s", f.Condition, f.Caller)
	}
	if len(f.Repairs) == 0 || f.Repairs[0].Expr != "tile_to_shape(Sw<2,3,3> o 0 o (8,32):(32,1), (192,192,1))" {
		t.Errorf("repairs: %+v", f.Repairs)
	}
}

// TestColor checks that Read understands gcc's colored output for a terminal, in the locale C.
func TestColor(t *testing.T) {
	t.Parallel()
	_, texts := samples(t)
	a, _ := Read(texts["comp_shape.gcc"], nil)
	b, _ := Read(texts["comp_shape.color"], nil)
	if x, y := summary(a), summary(b); x != y {
		t.Errorf("without color\n%s\nwith color\n%s", x, y)
	}
}

// TestSame checks that an error gets the same diagnosis in the forms of gcc and clang.
func TestSame(t *testing.T) {
	t.Parallel()
	_, texts := samples(t)
	for _, name := range []string{
		"comp_stride", "shape_div", "upcast", "copy_vectorize", "tile_to_shape", "complement", "gemm_shape", "make_tiled_copy_vals",
	} {
		a, _ := Read(texts[name+".gcc"], nil)
		b, _ := Read(texts[name+".clang"], nil)
		if len(a.Findings) == 0 || len(b.Findings) == 0 {
			t.Errorf("%s: %d and %d findings", name, len(a.Findings), len(b.Findings))
			continue
		}
		x, y := a.Findings[0], b.Findings[0]
		if x.Expr != y.Expr || !strings.HasPrefix(y.Condition, x.Condition) || x.Caller != y.Caller || x.Op != y.Op {
			t.Errorf("%s: gcc %s %q at %s, clang %s %q at %s", name, x.Expr, x.Condition, x.Caller, y.Expr, y.Condition, y.Caller)
		}
	}
}

func TestTooLong(t *testing.T) {
	t.Parallel()
	if _, err := Read(strings.Repeat("x", MaxText+1), nil); err != reader.ErrTooLong {
		t.Errorf("got %v", err)
	}
}

// FuzzRead checks on arbitrary text that Read never panics, and that each repair has the value it states.
func FuzzRead(f *testing.F) {
	_, texts := samples(f)
	for _, t := range texts {
		f.Add(t)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Read(text, nil)
		if err != nil {
			return
		}
		for _, x := range r.Findings {
			if x.Start < 0 || x.End > len(text) || x.Start > x.End {
				t.Fatalf("place %d to %d of %d", x.Start, x.End, len(text))
			}
			for _, fix := range x.Repairs {
				if fix.Expr == "" {
					continue
				}
				if v, err := new(evaluator).result(fix.Expr); err != nil || v != fix.Result {
					t.Fatalf("%s = %s, %v; the repair says %s", fix.Expr, v, err, fix.Result)
				}
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	_, texts := samples(b)
	for _, name := range []string{"comp_stride.gcc", "m64n96.gcc", "mlir_comp"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Read(texts[name], nil)
			}
		})
	}
}
