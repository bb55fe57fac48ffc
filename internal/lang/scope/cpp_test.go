package scope_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"girih/internal/check/long"
	"girih/internal/lang/scope"
)

const cppHead = `#include <cstdio>
#include <initializer_list>
#include <tuple>
template <class T> int probe(int n, T value) { printf("%d %d\n", n, int(value)); return value; }
template <class F> void each(int n, F f) { f(n); f(n + 1); }
void set(int& x) { x += 1; }
#define SWITCH(NAME, VALUE, ...) { constexpr int NAME = VALUE; __VA_ARGS__ }
#define CONST_OF(NAME, VALUE) constexpr int NAME = VALUE;
#define only_l(VALUE) constexpr int L = VALUE;
`

// TestCPPRuns compares random sources with what g++ makes of them.
func TestCPPRuns(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("no g++")
	}
	n := 6
	if long.Tests() {
		n = 400
	}
	random := rand.New(rand.NewPCG(3, 5))
	dir := t.TempDir()
	var sum tally
	wrong := 0
	for range n {
		text := cppSource(random.IntN)
		out, err := runCPP(t.Context(), dir, text)
		if err != nil {
			wrong++
			if os.Getenv("SHOW") != "" {
				t.Logf("%s\n%s", out, numbered(text))
			}
			continue
		}
		compareProbes(t, scope.CPP, text, readProbes(out), &sum)
	}
	t.Logf("%+v; %d of %d sources do not compile", sum, wrong, n)
	if long.Tests() && (sum.certain < n || sum.refused < n || wrong > n/2) {
		t.Errorf("%+v; %d of %d sources do not compile", sum, wrong, n)
	}
}

// runCPP compiles a source, and returns what it prints, or what the compiler says.
func runCPP(ctx context.Context, dir, text string) (string, error) {
	name := filepath.Join(dir, "s.cpp")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		return "", err
	}
	out, err := exec.CommandContext(ctx, "g++", "-std=c++20", "-w", "-O0", "-o", name+".exe", name).CombinedOutput()
	if err != nil {
		return string(out), err
	}
	out, err = exec.CommandContext(ctx, name+".exe").Output()
	return string(out), err
}

// A cppWriter writes a random source in C++.
type cppWriter struct {
	*writer
	calls []string            // at the end, in main
	own   []map[string]string // by block, the names that it declares: "const", "int" or "other"
}

// cppSource writes a random source in C++.
func cppSource(next func(int) int) string {
	w := &cppWriter{writer: &writer{next: next}}
	w.WriteString(cppHead)
	w.own = append(w.own, map[string]string{})
	for _, name := range []string{"K", "L", "M"} {
		w.declare(name)
	}
	for range 2 + next(4) {
		w.cppGlobal(2)
	}
	w.line("int main() {")
	for _, c := range w.calls {
		w.line("    %s;", c)
	}
	w.line("}")
	return w.String()
}

// block writes statements in braces.
func (w *cppWriter) block(head, tail string, body func()) {
	w.line("%s{", head)
	w.indent++
	w.own = append(w.own, map[string]string{})
	for _, name := range []string{"K", "L", "M"} { // parameters are not declared again
		if regexp.MustCompile(`\b`+name+`\b`).MatchString(head) && !strings.HasPrefix(head, "struct") {
			w.own[len(w.own)-1][name] = "other"
			if strings.Contains(head, "template") || strings.Contains(head, "]<") {
				w.own[len(w.own)-1][name] = "template" // no block declares it again
			}
		}
	}
	body()
	w.own = w.own[:len(w.own)-1]
	w.indent--
	w.line("}%s", tail)
}

// declare declares a name in the innermost block, unless it has it.
func (w *cppWriter) declare(name string) {
	own := w.own[len(w.own)-1]
	if own[name] != "" || w.visible(name) == "template" {
		return
	}
	n := w.value()
	kind := "const"
	switch form := w.next(9); form {
	case 0, 1, 2:
		w.line("constexpr int %s = %d;", name, n)
	case 3:
		w.line("const int %s = %d;", name, n)
	case 4:
		w.line("static constexpr auto %s = %d + 1;", name, n)
	case 5, 6:
		w.line("int %s = %d;", name, n)
		kind = "int"
	case 7:
		w.line("constexpr int %s = %d, %s = 3;", name, n, w.fresh("x"))
	case 8:
		if len(w.own) > 1 {
			w.line("auto [%s, %s] = std::make_tuple(%d, 3);", name, w.fresh("x"), n)
			kind = "other"
		} else {
			w.line("CONST_OF(%s, %d)", name, n)
		}
	}
	own[name] = kind
}

// cppGlobal writes a declaration of a namespace.
func (w *cppWriter) cppGlobal(depth int) {
	name, n := w.name(), w.value()
	f := w.fresh("f")
	body := func() { w.cppBody(3) }
	call := func(format string, args ...any) { w.calls = append(w.calls, w.path()+fmt.Sprintf(format, args...)) }
	switch w.next(12) {
	case 0:
		w.block("void "+f+"() ", "", body)
		call("%s()", f)
	case 1:
		w.block(fmt.Sprintf("void %s(int %s) ", f, name), "", body)
		call("%s(%d)", f, n)
	case 2:
		w.block(fmt.Sprintf("template <int %s>\nvoid %s() ", name, f), "", body)
		call("%s<%d>()", f, n)
	case 3:
		w.block(fmt.Sprintf("template <class T, T %s = %d> inline void %s() ", name, n, f), "", body)
		call("%s<int>()", f)
	case 4:
		w.block(fmt.Sprintf("void %s(const int& %s, int (*)(int %s) = nullptr) noexcept ", f, name, name), "", body)
		call("%s(%d)", f, n)
	case 5:
		w.class(f, name, n)
		call("%s().run()", f)
	case 6:
		if depth > 0 {
			w.namespace(f, depth)
		}
	case 7:
		if w.own[len(w.own)-1][name] == "" {
			w.line("#if %d", w.next(2))
			w.line("constexpr int %s = %d;", name, n)
			w.line("#else")
			w.declare(name)
			w.line("#endif")
		}
	case 8:
		w.line("#define %s_%s %d", name, f, n)
		w.block("void "+f+"() ", "", func() {
			w.line("#define N %d", n)
			w.line("probe(%d, N);", w.number())
			w.line("#undef N")
			w.cppBody(2)
		})
		call("%s()", f)
	case 9:
		w.declare(name)
	case 10:
		w.line("inline void %s_(int %s);", f, name)
		w.line("template <int %s> constexpr int %s = %s;", name, w.fresh("v"), name)
	case 11:
		w.line("#if 1\nvoid %s(int %s) {\n#else\nvoid %s() {\n#endif", f, name, f)
		w.own = append(w.own, map[string]string{name: "other"})
		w.cppBody(2)
		w.own = w.own[:len(w.own)-1]
		w.line("}")
		call("%s(%d)", f, n)
	}
}

func (w *writer) number() int {
	w.probes++
	return w.probes
}

// path is the namespaces that are open.
func (w *cppWriter) path() string {
	path := ""
	for _, own := range w.own {
		if own["::"] != "" {
			path += own["::"] + "::"
		}
	}
	return path
}

func (w *cppWriter) namespace(f string, depth int) {
	names := []string{"a", "b", "", "inline c"}
	name := names[w.next(len(names))]
	w.block("namespace "+strings.TrimPrefix(name, "inline ")+" ", "", func() {
		w.own[len(w.own)-1]["::"] = strings.TrimPrefix(name, "inline ")
		for range 1 + w.next(3) {
			w.cppGlobal(depth - 1)
		}
	})
	_ = f
}

// class writes a class with a method run.
func (w *cppWriter) class(f, name string, n int) {
	head, tail := "struct "+f+" ", ";"
	base := ""
	if w.next(2) == 0 {
		base = w.fresh("B")
		w.line("struct %s { static constexpr int %s = %d; };", base, name, n)
		head = "struct " + f + " : " + base + " "
	}
	outside := w.next(2) == 0
	w.block(head, tail, func() {
		if w.next(2) == 0 {
			w.line("static constexpr int %s = %d;", w.name(), w.value())
		}
		if outside {
			w.line("void run();")
		} else {
			w.block("void run() ", "", func() { w.cppBody(3) })
		}
		if w.next(2) == 0 {
			w.line("enum { %s_ = 1, %s = %d };", w.fresh("E"), w.name(), w.value())
		}
	})
	if outside {
		w.block("void "+f+"::run() ", "", func() { w.cppBody(3) })
	}
}

// cppBody writes the statements of a function.
func (w *cppWriter) cppBody(depth int) {
	for range 1 + w.next(4) {
		if w.next(2) == 0 {
			w.line("%s", w.probe(";"))
		}
		if w.next(3) > 0 || depth == 0 {
			w.cppSimple()
		} else {
			w.cppCompound(depth - 1)
		}
	}
	w.line("%s", w.probe(";"))
}

// visible returns what a name is: "const", "int", "other", or "" if the functions of the source do not declare it.
func (w *cppWriter) visible(name string) string {
	for i := len(w.own) - 1; i >= 0; i-- {
		if kind := w.own[i][name]; kind != "" {
			return kind
		}
	}
	return ""
}

func (w *cppWriter) cppSimple() {
	name, n := w.name(), w.value()
	if w.visible(name) == "template" {
		return
	}
	switch w.next(5) {
	case 0, 1:
		w.declare(name)
	case 2:
		if w.visible(name) == "int" {
			forms := []string{
				"%s = %d;", "%s += %d;", "++%s;", "set(%s);", "{ auto& r = %s; r = %d; }", "[&] { %s = %d; }();",
				"*(&%s) = %d;", "std::tie(%s) = std::make_tuple(%d);", "if (%d > 400) %[1]s = 3;", "{ int &r(%s); ++r; }",
			}
			form := forms[w.next(len(forms))]
			if strings.Count(form, "%") == 1 {
				w.line(form, name)
			} else {
				w.line(strings.Replace(strings.Replace(form, "%s", "%[1]s", 1), "%d", "%[2]d", 1), name, n)
			}
		}
	case 3:
		forms := []string{
			"if (true) constexpr int %s = %d;", "{ constexpr int %s = %d; }", "for (int %s = %d; false;) {}", "// constexpr int %s = %d;",
			"/* constexpr int %s = %d; */", "const char* %[3]s = R\"x(\nconstexpr int %[1]s = %[2]d;\n)x\";", "struct %[3]s { int %[1]s = %[2]d; };",
			"auto %[3]s = [](int %[1]s) { return %[1]s + %[2]d; };", "SWITCH(%s, %d, ;)", "int %[3]s = 3 * %[2]d;",
			"typedef int %[3]s;", "enum class %[3]s { %[1]s = %[2]d };", "{ enum { %[1]s = %[2]d }; }",
		}
		w.line(strings.Replace(strings.Replace(forms[w.next(len(forms))], "%s", "%[1]s", 1), "%d", "%[2]d", 1)+"%.[4]s",
			name, n, w.fresh("y"), "")
	case 4:
		if own := w.own[len(w.own)-1]; own["L"] == "" && w.visible("L") != "template" && w.next(2) == 0 {
			w.line("only_l(%d)", n)
			own["L"] = "const"
		}
	}
}

func (w *cppWriter) cppCompound(depth int) {
	name, n := w.name(), w.value()
	body := func() { w.cppBody(depth) }
	if w.visible(name) == "template" {
		return
	}
	switch w.next(13) {
	case 0:
		w.block("", "", body)
	case 1:
		w.block(fmt.Sprintf("for (int %s = %d; %s < %d; ++%s) ", name, n, name, n+2, name), "", body)
	case 2:
		w.block(fmt.Sprintf("for (auto %s : {%d, %d}) ", name, n, n+1), "", body)
	case 3:
		w.block(fmt.Sprintf("for (auto [%s, %s] : {std::make_tuple(%d, 3)}) ", name, w.fresh("z"), n), "", body)
	case 4:
		w.block(fmt.Sprintf("if (int %s = %d; %s > 400) ", name, n, name), "", body)
		w.block("else ", "", body)
	case 5:
		w.block(fmt.Sprintf("each(%d, [&](auto %s) ", n, name), ");", body)
	case 6:
		w.block(fmt.Sprintf("[&, %s = %d] ", name, n), "();", body)
	case 7:
		w.block(fmt.Sprintf("[&]<int %s>() ", name), fmt.Sprintf(".operator()<%d>();", n), body)
	case 8:
		w.block(fmt.Sprintf("if (%d > 400) ", n), "", body)
		w.block("else ", "", body)
	case 9:
		w.line("SWITCH(%s, %d, [&] {", name, n)
		w.own = append(w.own, map[string]string{name: "other"})
		w.indent++
		w.line("%s", w.probe(";"))
		w.indent--
		w.own = w.own[:len(w.own)-1]
		w.line("}();)")
	case 10:
		w.line("#if %d", w.next(2))
		w.block("", "", body)
		w.line("#elif 1")
		w.block("", "", body)
		w.line("#endif")
	case 11:
		w.block("for (int i_ = 0; i_ < 2; ++i_) ", "", body)
	case 12:
		w.block(fmt.Sprintf("try { throw %d; } catch (int %s) ", n, name), "", body)
	}
}
