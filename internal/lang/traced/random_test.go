package traced_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// A writer writes random bodies of kernels: integers with bits and shifts, elements, vectors, functions, pointers,
// conditions, loops, breaks and returns that differ from thread to thread. q and p have 64 floats, and t is the thread.
type writer struct {
	*rand.Rand
	text  strings.Builder
	ints  []string
	loops int
}

func (w *writer) pick(list ...string) string { return list[w.IntN(len(list))] }

// integer returns an expression of integers.
func (w *writer) integer(depth int) string {
	if depth == 0 || w.IntN(5) == 0 {
		return w.pick(append([]string{"t", "t", "threadIdx.x", "3", "7u", "12", "40"}, w.ints...)...)
	}
	a, b := w.integer(depth-1), w.integer(depth-1)
	switch w.IntN(12) {
	case 6:
		return fmt.Sprintf("(%s - %d)", a, w.IntN(80))
	case 7:
		return fmt.Sprintf("%s(int(%s))", w.pick("abs", "__popc", "__clz"), a)
	case 5:
		return fmt.Sprintf("%s(int(%s), int(%s))", w.pick("min", "max"), a, b)
	case 0:
		return fmt.Sprintf("(%s %s %d)", a, w.pick("/", "%", "<<", ">>"), 1+w.IntN(6))
	case 1:
		return fmt.Sprintf("(%s ? %s : %s)", w.condition(1), a, b)
	case 2:
		return fmt.Sprintf("(%s & %d)", a, w.IntN(64))
	case 3:
		return fmt.Sprintf("%s(%s)", w.pick("int", "unsigned", "short"), a)
	case 4:
		return fmt.Sprintf("int(%s)", w.element(0))
	}
	return fmt.Sprintf("(%s %s %s)", a, w.pick("+", "-", "*", "&", "|", "^", "+"), b)
}

// condition returns a condition.
func (w *writer) condition(depth int) string {
	switch {
	case depth > 0 && w.IntN(3) == 0:
		return fmt.Sprintf("(%s %s %s)", w.condition(depth-1), w.pick("&&", "||"), w.condition(depth-1))
	case w.IntN(4) == 0:
		return fmt.Sprintf("(%s %s %s)", w.element(1), w.pick("<", ">", "<=", "==", "!="), w.element(0))
	case w.IntN(5) == 0:
		return "!" + w.condition(0)
	}
	return fmt.Sprintf("(%s %s %s)", w.integer(1), w.pick("<", ">", "<=", ">=", "==", "!="), w.integer(1))
}

// element returns an expression of elements.
func (w *writer) element(depth int) string {
	if depth == 0 {
		return w.pick("q[t]", "p[t]", "x", "1.5f", "q[t ^ 9]", "q[63 - t]", "v.x", "v.y", "((const float2*)q)[t / 2].y",
			"*e")
	}
	a, b := w.element(depth-1), w.element(0)
	switch w.IntN(10) {
	case 2:
		return fmt.Sprintf("%s(float(%s), float(%s))", w.pick("fmaxf", "fminf", "max", "min", "std::max", "std::min"), a, b)
	case 3:
		return fmt.Sprintf("%s(%s)", w.pick("fabsf", "floorf", "ceilf", "truncf", "rintf"), a)
	case 4:
		return fmt.Sprintf("fmaf(%s, %s, 0.25f)", a, b)
	case 5:
		f := w.pick("hadd", "hmul", "hmax", "hsub")
		return fmt.Sprintf("__half2float(__%s(__float2half(%s), __float2half(%s)))", f, a, b)
	case 0:
		return fmt.Sprintf("(%s ? %s : %s)", w.condition(1), w.element(depth-1), w.element(depth-1))
	case 1:
		return fmt.Sprintf("(%s * %s)", w.element(0), w.integer(1))
	}
	return fmt.Sprintf("(%s %s %s)", w.element(depth-1), w.pick("+", "-"), w.element(depth-1))
}

// statement writes a statement.
func (w *writer) statement(depth int) {
	kind := w.IntN(10)
	switch {
	case kind < 2 && depth > 0:
		fmt.Fprintf(&w.text, "if %s { ", "("+w.condition(1)+")")
		w.block(depth - 1)
		if w.IntN(2) == 0 {
			w.text.WriteString("} else { ")
			w.block(depth - 1)
		}
		w.text.WriteString("} ")
	case kind == 2 && depth > 0:
		i := fmt.Sprint("i", w.loops)
		w.loops++
		fmt.Fprintf(&w.text, "for (int %s = %s; %s < %s; %s += %d) { ", i, w.pick("0", "t % 3", "t"), i,
			w.pick("4", "t % 5", "20", "t + 3"), i, 1+w.IntN(7))
		known := len(w.ints)
		w.ints = append(w.ints, i)
		if w.IntN(3) == 0 {
			fmt.Fprintf(&w.text, "if (%s) continue; ", w.condition(0))
		}
		w.block(depth - 1)
		if w.IntN(3) == 0 {
			fmt.Fprintf(&w.text, "if (%s) break; ", w.condition(0))
		}
		w.ints = w.ints[:known]
		w.text.WriteString("} ")
	case kind == 3:
		fmt.Fprintf(&w.text, "if (%s) return; ", w.condition(1))
	case kind < 6:
		fmt.Fprintf(&w.text, "n = %s; ", w.integer(2))
	case kind < 8:
		fmt.Fprintf(&w.text, "%s %s %s; ", w.pick("x", "x", "v.x", "v.y"), w.pick("=", "+=", "-="), w.element(1))
	case kind == 8:
		w.text.WriteString(w.pick("v = make_float2(v.y, x); ", "v = ((const float2*)q)[t % 32]; ", "e = q + t; ", "e = q + t / 2; ",
			"{ float2 w = *(const float2*)(q + t / 2 * 2); x = w.x - w.y; } "))
	default:
		fmt.Fprintf(&w.text, "p[t] %s %s; ", w.pick("=", "+="), w.element(1))
	}
}

func (w *writer) block(depth int) {
	for range 1 + w.IntN(3) {
		w.statement(depth)
	}
}

// TestRandomStatements traces random bodies. The interpreter, which runs the threads one by one, has the same results.
func TestRandomStatements(t *testing.T) {
	t.Parallel()
	followed, programs := 0, 100
	if testing.Short() {
		programs = 30
	}
	for seed := range programs {
		w := &writer{Rand: rand.New(rand.NewPCG(uint64(seed), 5)), ints: []string{"n"}}
		w.text.WriteString("int t = threadIdx.x; int n = t % 7; float x = q[t]; float2 v = make_float2(t, 3); const float* e = q; ")
		w.block(2)
		w.block(1)
		w.text.WriteString("p[t] += x + n;")
		if follows(t, w.text.String()) {
			followed++
		}
	}
	if t.Log(followed, "of", programs, "are followed"); followed < programs/3 {
		t.Errorf("only %d of %d are followed", followed, programs)
	}
}
