package diagnose

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// odd lists numbers that no tool would print, and oddOperands lists operands with such numbers.
var (
	odd = []string{
		"0", "1", "7", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "4611686018427387904",
		"4611686018427387903", "3037000500", "1000003", "(2,3)",
	}
	oddOperands = []string{
		"2:1", "(2,3)", "3", "0", "-4", "()", "<2,3>", "7:3", "(4,6):(1,4)", "<3:3,(2,4):(1,8)>",
		"Sw<3,4,3> o 0 o (8,8):(8,1)", "9223372036854775807", "9223372036854775806",
		"9223372036854775807:1", "2:9223372036854775806", "(4611686018427387903,2):(1,4611686018427387903)", "(2,2):(4611686018427387903,-4611686018427387904)",
	}
)

var reInteger = regexp.MustCompile(`\d+`)

// TestOddNumbers checks that Read does not panic on samples whose numbers are replaced by odd ones.
func TestOddNumbers(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	random := rand.New(rand.NewPCG(7, 7))
	any := func(list []string) string { return list[random.IntN(len(list))] }
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			swapped := map[string]string{} // equal numbers usually belong together
			read(t, reInteger.ReplaceAllStringFunc(string(text), func(n string) string {
				if _, ok := swapped[n]; !ok {
					if swapped[n] = n; random.IntN(4) == 0 {
						swapped[n] = any(odd)
					}
				}
				return swapped[n]
			}))
		}
	}
}

// TestOddOperations checks that Read does not panic on a message followed by any operation with any operands.
func TestOddOperations(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	any := func(list []string) string { return list[random.IntN(len(list))] }
	operations := append([]string{"outer", "size", "f"}, algebra...)
	for _, rule := range rules {
		for _, says := range strings.Split(rule.says, "|") {
			for range 3 {
				operands := []string{any(oddOperands), any(oddOperands), any(oddOperands)}[:1+random.IntN(3)]
				call := any(operations) + "(" + strings.Join(operands, ", ") + ")"
				read(t, "error: static assertion failed: "+says+"\n"+call)
				read(t, "ValueError: "+says+": "+call)
				read(t, "Traceback (most recent call last):\n  File \"x.py\", line 4, in <module>\n    "+call+
					"\nAssertionError: "+says)
				read(t, "error: "+says+" '!cute.layout<\""+any(oddOperands)+"\">' and '!cute.tile<\""+any(oddOperands)+"\">'")
			}
		}
	}
}

// read reads a text and reports a panic as an error.
func read(t *testing.T, text string) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%v: %.2000s", p, text)
		}
	}()
	if _, err := Read(text, nil); err != nil {
		t.Error(err)
	}
}

// TestWithin checks that Read calls limit before each expression, and evaluates nothing after limit returns an error.
func TestWithin(t *testing.T) {
	const image = "image(4194304:3) and image(4194304:5)"
	for _, text := range []string{image, "ValueError: Shape divisibility condition violated: composition((4, 3):(3, 1), 6:1)"} {
		asked := 0
		_, err := Read(text, func() error {
			asked++
			return context.DeadlineExceeded
		})
		if !errors.Is(err, context.DeadlineExceeded) || asked != 1 {
			t.Errorf("%s: asked %d times, %v", text, asked, err)
		}
		if r, err := Read(text, func() error { return nil }); err != nil || len(r.Findings)+len(r.Layouts) == 0 {
			t.Errorf("%s: %v, %v", text, r, err)
		}
	}
}

// TestLongValue checks that a list of 100,000 numbers is not shown in full.
func TestLongValue(t *testing.T) {
	r, err := Read("image(100000:3)", nil)
	if err != nil || len(r.Layouts) != 1 {
		t.Fatal(r, err)
	}
	if n := len(strings.Join(r.Layouts[0].Notes, "")); n > maxResult+100 {
		t.Errorf("%d bytes", n)
	}
}

func TestRoundUp(t *testing.T) {
	for _, c := range [][3]int64{
		{5, 4, 8}, {8, 4, 8}, {math.MaxInt64, 2, math.MaxInt64}, {math.MaxInt64 - 1, 2, math.MaxInt64 - 1},
	} {
		if got := roundUp(c[0], c[1]); got != c[2] {
			t.Errorf("roundUp(%d, %d) = %d, want %d", c[0], c[1], got, c[2])
		}
	}
}

// TestUpcastOfManyDivisors checks that Read says that no wider type fits only if all divisors were tried. Strides 1 and
// 10 fit a factor of 2, which also divides 2^40.
func TestUpcastOfManyDivisors(t *testing.T) {
	const single = "access single elements"
	text, err := os.ReadFile("testdata/upcast.clang.txt")
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[string]bool{"7": true, "1099511627776": false} {
		r, err := Read(strings.NewReplacer("upcast<4,", "upcast<"+n+",", "% 4 ", "% "+n+" ", "4 %",
			n+" %").Replace(string(text)), nil)
		if err != nil || len(r.Findings) == 0 {
			t.Fatal(r, err)
		}
		if f := r.Findings[0]; strings.Contains(fmt.Sprint(f.Repairs), single) != want || !strings.Contains(f.Expr, n) {
			t.Errorf("%s by %s: %v", f.Expr, n, f.Repairs)
		}
	}
}

// TestLinesAsk checks that Read calls limit for each line, even without a message.
func TestLinesAsk(t *testing.T) {
	t.Parallel()
	const lines = 1000
	text := strings.Repeat("Building CXX object gemm.cu.o\n", lines)
	asked := 0
	if _, err := Read(text, func() error { asked++; return nil }); err != nil || asked < lines {
		t.Errorf("%d lines ask %d times, %v", lines, asked, err)
	}
}

// TestLongLines checks that a message is found only in the first 64 KiB of a line.
func TestLongLines(t *testing.T) {
	t.Parallel()
	const message = `static assertion failed with "Shape Divisibility Condition"`
	for _, x := range []struct {
		text  string
		finds int
	}{
		{"gemm.cu(3): error: " + message + strings.Repeat(" x", 1<<17), 1},
		{strings.Repeat("x", 1<<17) + " gemm.cu(3): error: " + message, 0},
	} {
		if r, err := Read(x.text, nil); err != nil || len(r.Findings) != x.finds {
			t.Errorf("%.40s...: %d findings, %v, want %d", x.text, len(r.Findings), err, x.finds)
		}
	}
}

// TestManyTimes checks that a repeated message is one finding, which counts the repeats and is judged once.
func TestManyTimes(t *testing.T) {
	t.Parallel()
	const times = 3000
	r, err := Read(strings.Repeat("ValueError: N must be a multiple of 8, got 12\n", times), nil)
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Times != times || r.Follows != 0 {
		t.Errorf("%v: %+v, %d passed over", err, r.Findings, r.Follows)
	}
}
