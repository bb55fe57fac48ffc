package interp_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"girih/internal/check/long"
)

// perUnit is the number of programs that are compiled into one binary.
const perUnit = 50

// TestCppOracle generates C++ programs and compares their output with the output of the binary that g++ makes. A
// program that ends with an error must have undefined behaviour there according to g++'s sanitizer, and a program
// without an error must not, except in the cases of unnoticed.
func TestCppOracle(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("no g++: programs of C++ are not compared with it")
	}
	programs, first := 200, uint64(0)
	if long.Tests() {
		programs, first = 2000, rand.Uint64()>>1
	}
	undefined, missed := 0, 0
	for at := 0; at < programs; at += perUnit {
		binary := compileUnit(t, first+uint64(at))
		for i := range perUnit {
			seed := first + uint64(at+i)
			switch compareProgram(t, binary, i, seed) {
			case undefinedBehaviour:
				undefined++
			case unnoticed:
				missed++
			}
		}
	}
	t.Logf("%d programs, %d with undefined behaviour, %d more where the sanitizer misses it", programs, undefined, missed)
	if undefined > programs/2 || missed > programs/10 {
		t.Errorf("%d and %d of %d programs have undefined behaviour: too many to test the others", undefined, missed, programs)
	}
}

// compileUnit compiles the programs of perUnit consecutive seeds into one binary. The argument of the binary is the
// number of the program to run.
func compileUnit(t *testing.T, first uint64) (binary string) {
	t.Helper()
	var src strings.Builder
	src.WriteString("#include <cstdint>\n#include <cstdio>\n#include <cstdlib>\n#include <iostream>\n#include <vector>\nusing std::size_t;\n")
	for i := range perUnit {
		globals, body := generate(first + uint64(i))
		fmt.Fprintf(&src, "namespace p%d {\n%svoid run() {\n%s}\n}\n", i, globals, body)
	}
	src.WriteString("int main(int, char** argv) {\n  setvbuf(stdout, nullptr, _IONBF, 0);\n  switch (atoi(argv[1])) {\n")
	for i := range perUnit {
		fmt.Fprintf(&src, "  case %d: p%d::run(); break;\n", i, i)
	}
	src.WriteString("  }\n}\n")
	dir := t.TempDir()
	file := filepath.Join(dir, "a.cpp")
	binary = filepath.Join(dir, "a")
	if err := os.WriteFile(file, []byte(src.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("g++", "-std=c++20", "-O0", "-w", "-ffp-contract=off", "-frounding-math", "-fsanitize=undefined,float-cast-overflow",
		"-fno-sanitize-recover=all", "-o", binary, file).CombinedOutput()
	if err != nil {
		t.Fatalf("seed %d: g++: %v\n%.3000s", first, err, out)
	}
	return binary
}

// A verdict is the way in which a program ended.
type verdict int

const (
	defined verdict = iota
	undefinedBehaviour
	// unnoticed is undefined behaviour that g++ does not report: g++ does not check x *= x for an unsigned short, which
	// it computes without a sign, nor the conversion of a float to char in such an assignment. TestCppArithmetic compares
	// these cases.
	unnoticed
)

// compareProgram compares the output of one program.
func compareProgram(t *testing.T, binary string, i int, seed uint64) verdict {
	t.Helper()
	globals, body := generate(seed)
	src := "#include <cstdio>\n" + globals + "int main() {\n" + body + "}\n"
	cmd := exec.Command(binary, strconv.Itoa(i))
	var sanitizer strings.Builder
	cmd.Stderr = &sanitizer
	want, err := cmd.Output()
	got, fault := runText(src)
	theirs := strings.ReplaceAll(string(want), "-nan", "nan")
	ours := strings.ReplaceAll(got, "-nan", "nan")
	switch {
	case err == nil && fault == "" && ours == theirs:
		return defined
	case !strings.Contains(fault, "undefined in C++") || !strings.HasPrefix(theirs, ours):
	case err != nil:
		return undefinedBehaviour
	default:
		return unnoticed
	}
	t.Errorf("seed %d: error %q, g++ has %v %.300q\n got %q\nwant %q\n%s", seed, fault, err, sanitizer.String(),
		ours, theirs, src)
	return defined
}

// TestCppMutations checks that programs in which words and marks were deleted, doubled or exchanged do not cause a
// panic.
func TestCppMutations(t *testing.T) {
	t.Parallel()
	programs := 400
	if long.Tests() {
		programs = 20000
	}
	rng := rand.New(rand.NewPCG(8, 9))
	for i := range programs {
		globals, body := generate(uint64(i % 50))
		words := strings.SplitAfter(globals+"int main() {\n"+body+"}\n", " ")
		for range 1 + rng.IntN(4) {
			a, b := rng.IntN(len(words)), rng.IntN(len(words))
			switch rng.IntN(3) {
			case 0:
				words[a] = ""
			case 1:
				words[a] += words[b]
			default:
				words[a], words[b] = words[b], words[a]
			}
		}
		src := strings.Join(words, "")
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("panic %v\n%s", r, src)
				}
			}()
			runText(src)
		}()
	}
}
