package interp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"girih/internal/check/long"
	"girih/internal/lang/program"
)

// This file compares the arithmetic of C++ with g++: operators and conversions on all pairs of types, literals, printf.

// runCpp compiles a program with g++ and returns the lines that it prints. It skips the test if there is no g++.
func runCpp(t *testing.T, src string) []string {
	t.Helper()
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("no g++: the arithmetic of C++ is not compared with it")
	}
	dir := t.TempDir()
	file, binary := filepath.Join(dir, "a.cpp"), filepath.Join(dir, "a")
	if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("g++", "-std=c++20", "-O0", "-w", "-o", binary, file).CombinedOutput(); err != nil {
		t.Fatalf("g++: %v\n%.2000s", err, out)
	}
	out, err := exec.Command(binary).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}

const cppPrelude = `
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <limits>
#include <type_traits>
template <class T> const char* name();
` + "%s" + `
template <class T> void show(T v) {
  if constexpr (std::is_floating_point_v<T>) { if (v != v) printf("%%s nan\n", name<T>()); else printf("%%s %%a\n", name<T>(), v); }
  else if constexpr (std::is_signed_v<T>) printf("%%s %%lld\n", name<T>(), (long long)v);
  else printf("%%s %%llu\n", name<T>(), (unsigned long long)v);
}
template <class T> constexpr bool isInt = std::is_integral_v<T>;
void undefined() { puts("undefined"); }

template <int OP, class C> bool bad(C a, C b) {
  if constexpr (isInt<C>) {
    C r;
    if constexpr (std::is_signed_v<C> && OP == 0) return __builtin_add_overflow(a, b, &r);
    if constexpr (std::is_signed_v<C> && OP == 1) return __builtin_sub_overflow(a, b, &r);
    if constexpr (std::is_signed_v<C> && OP == 2) return __builtin_mul_overflow(a, b, &r);
    if constexpr (OP == 3 || OP == 4) return b == 0 || std::is_signed_v<C> && b == C(-1) && a == std::numeric_limits<C>::min();
    return false;
  }
  return OP >= 4 && OP < 8;
}
template <class B, class A> bool badConversion(A a) {
  if constexpr (!isInt<A> && isInt<B> && !std::is_same_v<B, bool>) {
    long double x = truncl(a);
    return !(x >= (long double)std::numeric_limits<B>::min() && x <= (long double)std::numeric_limits<B>::max());
  }
  return false;
}
template <class B, class A> void convert(A a) { if (badConversion<B>(a)) undefined(); else show((B)a); }
template <class A> void unary(A a) {
  using P = decltype(+a);
  show(+a);
  if (isInt<P> && std::is_signed_v<P> && a == std::numeric_limits<P>::min()) undefined(); else show(-a);
  if constexpr (isInt<A>) show(~a); else undefined();
  show(!a);
  if constexpr (std::is_same_v<A, bool>) { undefined(); undefined(); }
  else {
    if (isInt<A> && std::is_same_v<A, P> && std::is_signed_v<A> && a == std::numeric_limits<A>::max()) undefined();
    else { A b = a; ++b; show(b); }
    if (isInt<A> && std::is_same_v<A, P> && std::is_signed_v<A> && a == std::numeric_limits<A>::min()) undefined();
    else { A b = a; --b; show(b); }
  }
}
template <class A, class B> void binary(A a, B b) {
  using C = decltype(a + b);
  using P = decltype(+a);
  C x = (C)a, y = (C)b;
#define ARITHMETIC(N, OP) if (bad<N, C>(x, y)) undefined(); else { show(a OP b); \
    if (badConversion<A>((C)(x OP y))) undefined(); else { A c = a; c OP##= b; show(c); } }
  ARITHMETIC(0, +) ARITHMETIC(1, -) ARITHMETIC(2, *) ARITHMETIC(3, /)
  if constexpr (isInt<C>) {
    ARITHMETIC(4, %%) ARITHMETIC(5, &) ARITHMETIC(6, |) ARITHMETIC(7, ^)
    if (b < 0 || (unsigned long long)b >= sizeof(P) * 8) undefined();
    else { show(a << b); show(a >> b); A c = a; c <<= b; show(c); c = a; c >>= b; show(c); }
  } else undefined();
  show(a == b); show(a != b); show(a < b); show(a <= b); show(a > b); show(a >= b);
  show(true ? a : b);
}
`

var cppAll = []CType{
	CBool, CChar, CSChar, CUChar, CShort, CUShort, CIntType, CUInt, CLong, CULong, CLongLong, CULongLong, CSingle, CDouble,
}

// cppSamples returns values of a type: the smallest, the largest, values near these and near 0, and random values.
func cppSamples(rng *rand.Rand, t CType) (list []Value) {
	if !t.isInteger() {
		for _, f := range []float64{
			0, math.Copysign(0, -1), 1.5, -3.75, 1e10, -1e19, 2147483648, 0.1, 1e300, math.Inf(1), math.NaN(),
			float64(rng.Int64()), rng.NormFloat64() * 100,
		} {
			list = append(list, cFloat(f, t))
		}
		return list
	}
	n := ctypes[t].bits
	for _, b := range []uint64{
		0, 1, 3, 1<<(n-1) - 1, 1 << (n - 1), math.MaxUint64, rng.Uint64(), rng.Uint64() >> (64 - n/2), 31, 32,
	} {
		list = append(list, cInt(b, t))
	}
	return list
}

// cppLiteral writes a value as a C++ expression.
func cppLiteral(v Value) string {
	switch v := v.(type) {
	case CInt:
		return fmt.Sprintf("(%s)0x%xULL", cppTypeName(v.Type), v.Bits)
	case CFloat:
		name := cppTypeName(typeOfNumber(v))
		switch {
		case math.IsInf(v.F, 0):
			return "(" + name + ")INFINITY"
		case v.F != v.F:
			return "(" + name + ")NAN"
		}
		return fmt.Sprintf("(%s)%x", name, v.F)
	}
	return "?"
}

// cppShown writes a result in the same form as the compiled program.
func cppShown(v Value, err error) string {
	if err != nil {
		return "undefined"
	}
	t := typeOfNumber(v)
	if f, ok := v.(CFloat); ok {
		if f.F != f.F {
			return cppTypeName(t) + " nan"
		}
		return cppTypeName(t) + " " + place{verb: 'a', precision: -1}.float(f.F)
	}
	return fmt.Sprint(cppTypeName(t), " ", v)
}

func cppNames() string {
	var b strings.Builder
	for _, t := range cppAll {
		fmt.Fprintf(&b, "template <> const char* name<%s>() { return %q; }\n", cppTypeName(t), cppTypeName(t))
	}
	return b.String()
}

// compareLines compares the lines that g++ prints with the expected ones; what[i] describes line i.
func compareLines(t *testing.T, got, want, what []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("g++ prints %d lines, want %d", len(got), len(want))
	}
	bad := 0
	for i := range got {
		if got[i] != want[i] {
			if bad++; bad <= 20 {
				t.Errorf("%s: %q, g++ has %q", what[i], want[i], got[i])
			}
		}
	}
	t.Logf("%d lines, %d differ", len(got), bad)
}

func TestCppArithmetic(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	if long.Tests() {
		rng = rand.New(rand.NewPCG(rand.Uint64(), 2))
	}
	samples := map[CType][]Value{}
	var src strings.Builder
	fmt.Fprintf(&src, cppPrelude, cppNames())
	for i, a := range cppAll {
		samples[a] = cppSamples(rng, a)
		var list []string
		for _, v := range samples[a] {
			list = append(list, cppLiteral(v))
		}
		fmt.Fprintf(&src, "%s v%d[] = {%s};\n", cppTypeName(a), i, strings.Join(list, ", "))
	}
	src.WriteString("int main() {\n")
	var want, what []string
	add := func(v Value, err error, of string, args ...any) {
		want, what = append(want, cppShown(v, err)), append(what, fmt.Sprintf(of, args...))
	}
	for i, a := range cppAll {
		fmt.Fprintf(&src, "for (auto a : v%d) unary(a);\n", i)
		for _, x := range samples[a] {
			for _, op := range []string{"+", "-", "~", "!"} {
				v, err := cppUnary(op, x)
				add(v, err, "%s %s", op, cppLiteral(x))
			}
			for _, op := range []string{"++", "--"} {
				v, err := cppStep(op, x)
				add(v, err, "%s %s", op, cppLiteral(x))
			}
		}
	}
	for i, a := range cppAll {
		for j, b := range cppAll {
			fmt.Fprintf(&src, "for (auto a : v%d) { convert<%s>(a); for (auto b : v%d) binary(a, b); }\n",
				i, cppTypeName(b), j)
			for _, x := range samples[a] {
				v, err := cppConvert(x, b)
				add(v, err, "(%s)%s", cppTypeName(b), cppLiteral(x))
				for _, y := range samples[b] {
					addBinary(add, x, y)
				}
			}
		}
	}
	src.WriteString("}\n")
	compareLines(t, runCpp(t, src.String()), want, what)
}

// addBinary adds the lines of the function binary of the program.
func addBinary(add func(v Value, err error, of string, args ...any), x, y Value) {
	one := func(op string) error {
		v, err := cppBinary(op, x, y)
		add(v, err, "%s %s %s", cppLiteral(x), op, cppLiteral(y))
		return err
	}
	compound := func(op string) {
		v, err := cppCompound(op, x, y)
		add(v, err, "%s %s= %s", cppLiteral(x), op, cppLiteral(y))
	}
	common := cppCommon(typeOfNumber(x), typeOfNumber(y))
	for _, op := range []string{"+", "-", "*", "/", "%", "&", "|", "^"} {
		if !common.isInteger() && op == "%" {
			break
		}
		if one(op) == nil {
			compound(op)
		}
	}
	if err := one("<<"); err == nil {
		_ = one(">>")
		compound("<<")
		compound(">>")
	}
	for _, op := range []string{"==", "!=", "<", "<=", ">", ">="} {
		_ = one(op)
	}
	v, err := cppConvert(x, cppChoice(typeOfNumber(x), typeOfNumber(y)))
	add(v, err, "true ? %s : %s", cppLiteral(x), cppLiteral(y))
}

func TestCppLiterals(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	list := []string{
		"0", "2147483647", "2147483648", "9223372036854775807", "0x7fffffff", "0x80000000", "0xffffffff", "0x100000000",
		"0x7fffffffffffffff", "0x8000000000000000", "0xffffffffffffffff", "037777777777", "040000000000", "0b11", "0B101u", "1'000'000",
		"18446744073709551615u", "4294967295U", "4294967296u", "1l", "1UL", "1ll", "1LLU", "0xFFuLL",
		"1e10", "1.5f", "0.1F", ".5", "5.", "1E-3",
		"0x1p-3", "0x1.8p1f", "3e38f", "1e-45f", "123456789.123456789", "16777217.0f", "0777", "00", "4e0",
	}
	for range 300 {
		n := rng.Uint64() >> rng.IntN(64)
		formats := []string{"%dull", "0x%x", "0%o", "0x%xu", "0%ol", "%d.5", "%de-5f", "0x%xll"}
		list = append(list, fmt.Sprintf(formats[rng.IntN(len(formats))], n))
	}
	var src strings.Builder
	fmt.Fprintf(&src, cppPrelude, cppNames())
	src.WriteString("int main() {\n")
	var want []string
	for _, text := range list {
		prog, err := program.Parse(text+";", program.Cpp)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		v, err := cppNumber(prog.Body[0].(*program.Value).X.(*program.Number)) //nolint:forcetypeassert // a literal
		want = append(want, cppShown(v, err))
		if err == nil {
			fmt.Fprintf(&src, "show(%s);\n", text)
		} else {
			src.WriteString("undefined();\n")
			t.Logf("%s: %v", text, err)
		}
	}
	src.WriteString("}\n")
	compareLines(t, runCpp(t, src.String()), want, list)
}

func TestCppPrintf(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	n := 3000
	if long.Tests() {
		n = 30000
	}
	lengths := map[CType][]string{
		CBool: {"", "h", "hh"}, CChar: {"", "hh"}, CSChar: {"", "hh"}, CUChar: {"", "hh"}, CShort: {"", "h"}, CUShort: {"", "h"},
		CIntType: {"", "h", "hh"}, CUInt: {""}, CLong: {"l", "z", "t", "j"}, CULong: {"l", "z"}, CLongLong: {"ll"}, CULongLong: {"ll"},
		CSingle: {"", "l"}, CDouble: {"", "l"},
	}
	var src strings.Builder
	fmt.Fprintf(&src, cppPrelude, cppNames())
	src.WriteString("int main() {\n")
	var want, what []string
	for range n {
		typ := cppAll[rng.IntN(len(cppAll))]
		samples := cppSamples(rng, typ)
		v := samples[rng.IntN(len(samples))]
		format := "%"
		for _, c := range "-+ #0" {
			if rng.IntN(4) == 0 {
				format += string(c)
			}
		}
		format += []string{"", "", "3", "8", "24"}[rng.IntN(5)] + []string{"", "", ".", ".0", ".3", ".12"}[rng.IntN(6)]
		format += lengths[typ][rng.IntN(len(lengths[typ]))]
		if typ.isInteger() {
			format += string("diuxXo"[rng.IntN(6)])
		} else {
			format += string("fFeEgGaA"[rng.IntN(8)])
			f := v.(CFloat) // the type is a floating-point type
			if f.F != f.F || strings.ContainsAny(format, "aA") && strings.ContainsAny(format, ".#") {
				continue // skips the sign of NaN, and formats that are refused
			}
		}
		text, err := cppPrintf("<"+format+">", []Value{v}, nil)
		if err != nil {
			t.Errorf("%s of %s: %v", format, cppLiteral(v), err)
			continue
		}
		fmt.Fprintf(&src, "printf(\"<%s>\\n\", %s);\n", format, cppLiteral(v))
		want, what = append(want, text), append(what, fmt.Sprintf("%s of %s", format, cppLiteral(v)))
	}
	src.WriteString("}\n")
	compareLines(t, runCpp(t, src.String()), want, what)
}

// TestCppPrintfRefused checks that a value whose type does not match the conversion is an error.
func TestCppPrintfRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		format string
		args   []Value
		msg    string
	}{
		{"%d", []Value{CInt{Type: CLong}}, "%d needs an int, found a number of type long"},
		{"%ld", []Value{CInt{Type: CIntType}}, "%ld needs an integer of 64 bits, found a number of type int"},
		{"%d", []Value{CFloat{F: 1}}, "%d needs an int, found a number of type double"},
		{"%f", []Value{CInt{Type: CIntType}}, "%f needs a double, found a number of type int"},
		{"%s", []Value{CInt{Type: CIntType}}, "%s needs a string"},
		{"%d", nil, "the format needs a value for %d, found only 0"},
		{"%d", []Value{CInt{Type: CIntType}, CInt{Type: CIntType}}, "the format has 1 places, found 2 values"},
		{"%n", nil, "%n is not run"},
		{"%", nil, "% is not run"},
		{"%99999999d", nil, "a width is at most 65536"},
		{"%*d", []Value{Str("a"), CInt{Type: CIntType}}, "expected an int for *"},
	} {
		_, err := cppPrintf(tt.format, tt.args, nil)
		if err == nil || !strings.Contains(err.Error(), tt.msg) {
			t.Errorf("%q: %v, want %q", tt.format, err, tt.msg)
		}
	}
}
