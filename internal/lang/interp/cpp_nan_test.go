package interp_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// nanNames declares the names that the expressions in testdata/cpp_nan.txt use.
const nanNames = `
const double cn = NAN, cm = -NAN, cz = 0.0, cm1 = -1, cm2 = -2, cp2 = 2;
const int kp1 = 1;
constexpr double kn = NAN, kz = 0.0, ki = INFINITY, km1 = -1;
double gm1 = -1, gn = 0.0 / 0.0, gzz = 0, gz = gzz / gzz, sq = sqrt(-1.0);
static double sz = INFINITY - INFINITY;
double id(double x) { return x; }
`

// TestCppNaN compares the signs of NaNs with the output of g++.
func TestCppNaN(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("no g++: the signs of NaNs are not compared with it")
	}
	text, err := os.ReadFile("testdata/cpp_nan.txt")
	if err != nil {
		t.Fatal(err)
	}
	exprs := strings.Split(strings.TrimSpace(string(text)), "\n")
	var src strings.Builder
	src.WriteString("#include <cmath>\n#include <cstdio>\n#include <cstdlib>\n#include <algorithm>\n#include <iostream>\n#include <limits>\n")
	src.WriteString(nanNames)
	for i, x := range exprs {
		fmt.Fprintf(&src, "void f%d() { double z = 0, o = 1, n = NAN, m = -NAN, i = INFINITY; float fz = 0, fn = NAN, fm = -NAN;"+
			" double a[2] = {n, m}; int k = 0, k1 = -1; auto x = %s;"+
			" printf(\"%%g %%+010.3f %%A \", x, x, x); std::cout << x << \"\\n\"; }\n", i, x)
	}
	src.WriteString("int main() {\n")
	for i := range exprs {
		fmt.Fprintf(&src, "f%d();\n", i)
	}
	src.WriteString("}\n")
	dir := t.TempDir()
	file, binary := filepath.Join(dir, "a.cpp"), filepath.Join(dir, "a")
	if err := os.WriteFile(file, []byte(src.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("g++", "-std=c++17", "-O0", "-w", "-o", binary, file).CombinedOutput(); err != nil {
		t.Fatalf("g++: %v\n%.2000s", err, out)
	}
	out, err := exec.Command(binary).Output()
	if err != nil {
		t.Fatal(err)
	}
	got, fault := runText(src.String())
	if fault != "" {
		t.Fatal(fault)
	}
	want, lines := strings.Split(string(out), "\n"), strings.Split(got, "\n")
	for i, x := range exprs {
		if i >= len(lines) || lines[i] != want[i] {
			t.Errorf("%s\n got %q\nwant %q", x, lines[min(i, len(lines)-1)], want[i])
		}
	}
}
