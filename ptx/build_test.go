package ptx

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// run executes f, which consists of a Builder's control flow and "note", and returns the operands of each note.
func run(t *testing.T, f *Func) []int64 {
	t.Helper()
	var notes []int64
	stmts := slices.Collect(f.Stmts())
	vals := map[Name]int64{}
	value := func(x Operand) int64 {
		if i, ok := x.(Int); ok {
			return int64(i)
		}
		v, ok := vals[x.(Name)]
		if !ok {
			t.Fatalf("%v is read before it is written in\n%v", x, f)
		}
		return v
	}
	for pc, steps := 0, 0; pc < len(stmts); pc++ {
		if steps++; steps > 10_000 {
			t.Fatalf("no end of\n%v", f)
		}
		in, ok := stmts[pc].(*Instr)
		if !ok || in.Pred != "" && (value(in.Pred) != 0) == in.Not {
			continue
		}
		if in.Op == "note" {
			notes = append(notes, value(in.Operands[0]))
			continue
		}
		switch dst := in.Operands[0].(Name); in.Op.Name() {
		case "bra":
			pc = slices.IndexFunc(stmts, func(s Stmt) bool { l, ok := s.(*Label); return ok && l.Name == dst })
			if pc < 0 {
				t.Fatalf("no label %s in\n%v", dst, f)
			}
		case "mov":
			vals[dst] = value(in.Operands[1])
		case "add":
			vals[dst] = value(in.Operands[1]) + value(in.Operands[2])
		case "setp":
			a, b := value(in.Operands[1]), value(in.Operands[2])
			hold := map[string]bool{"lt": a < b, "ge": a >= b, "gt": a > b, "le": a <= b}
			vals[dst] = map[bool]int64{true: 1}[hold[slices.Collect(in.Op.Mods())[0]]]
		}
	}
	return notes
}

func TestFor(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ from, to, step int64 }{
		{0, 5, 1}, {0, 5, 2}, {3, 3, 1}, {4, 3, 1}, {5, 0, -1}, {5, -1, -2}, {0, 5, -1}, {-2, 9, 4},
	} {
		b := NewKernel("k")
		b.For(Range{S32, Int(row.from), Int(row.to), row.step}, func(i Name) { b.Emit("note", i) })
		f, err := b.Func()
		if err != nil {
			t.Fatal(err)
		}
		var want []int64
		for i := row.from; row.step > 0 && i < row.to || row.step < 0 && i > row.to; i += row.step {
			want = append(want, i)
		}
		if got := run(t, f); !slices.Equal(got, want) {
			t.Errorf("from %d to %d by %d: %v, want %v", row.from, row.to, row.step, got, want)
		}
	}
}

func TestIfAndWhile(t *testing.T) {
	t.Parallel()
	b := NewKernel("k")
	n := b.Let(S32, "mov.s32", Int(0))
	b.While(func() Operand { return b.Let(Pred, "setp.lt.s32", n, Int(4)) }, func() {
		two := b.Let(Pred, "setp.ge.s32", n, Int(2))
		b.If(two, func() { b.Emit("note", Int(100)) })
		b.If(Not(two), func() { b.Emit("note", Int(200)) })
		one := b.Let(Pred, "setp.gt.s32", n, Int(0))
		b.IfElse(one, func() { b.Emit("note", Int(1)) }, func() { b.Emit("note", Int(2)) })
		b.EmitIf(Not(two), "note", n)
		b.Emit("add.s32", n, n, Int(1))
	})
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := run(t, f), []int64{200, 2, 0, 200, 1, 1, 100, 1, 100, 1}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v\n%v", got, want, f)
	}
}

// TestBuildIsWellFormed checks that nested control flow places each label once and declares the names that it uses, and
// that the printed function parses as the same tree.
func TestBuildIsWellFormed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := NewKernel("k")
		var body func(depth int)
		body = func(depth int) {
			for range rapid.IntRange(0, 3).Draw(t, "length") {
				inner := func() {
					if depth > 0 {
						body(depth - 1)
					}
				}
				p := b.Reg(Pred)
				switch rapid.IntRange(0, 6).Draw(t, "what") {
				case 0:
					b.If(p, inner)
				case 1:
					b.IfElse(Not(p), inner, inner)
				case 2:
					b.While(func() Operand { return p }, inner)
				case 3:
					b.For(Range{U64, b.Reg(U64), b.Reg(S64), 3}, func(Name) { inner() })
				case 4:
					b.Scope(inner)
				case 5:
					b.Emit("mov.b64", b.Regs(F32, 2), b.Let(B128, "mov.b128", b.Reg(B128)))
				case 6:
					s := b.Declare(&Var{Space: Shared, Type: B8, Name: "s"})
					b.EmitIf(p, "ld.shared.b8", b.Reg(U8), Addr{Base: s})
				}
			}
		}
		body(3)
		f, err := b.Func()
		if err != nil {
			t.Fatal(err)
		}
		m := &Module{Version: Version{8, 7}, Target: []string{"sm_90a"}, AddressSize: 64, Decls: []Decl{f}}
		again, err := Parse(m.String())
		if err != nil {
			t.Fatalf("%v\n%v", err, m)
		}
		if diff, same := sameTree(m, again); !same {
			t.Fatal(diff)
		}
		checkNames(t, f)
	})
}

// checkNames checks that labels are placed once, branches go to labels, and registers are declared.
func checkNames(t *rapid.T, f *Func) {
	placed, declared := map[Name]int{}, map[Name]bool{"s": true}
	for s := range f.Stmts() {
		switch s := s.(type) {
		case *Label:
			placed[s.Name]++
		case *Var:
			for i := range s.Count {
				declared[s.Name+Name(fmt.Sprint(i))] = true
			}
		}
	}
	check := func(n Name) {
		if strings.HasPrefix(string(n), "%") && !declared[n] {
			t.Fatalf("%s is not declared in\n%v", n, f)
		}
	}
	for s := range f.Stmts() {
		if in, ok := s.(*Instr); ok {
			check(in.Pred)
			for _, x := range in.Operands {
				if n, ok := x.(Name); ok {
					check(n)
					if in.Op == "bra" && placed[n] != 1 {
						t.Fatalf("label %s is placed %d times in\n%v", n, placed[n], f)
					}
				}
			}
		}
	}
}

// drain writes a kernel that uses everything a Builder can write. The threads of a block wait at an mbarrier, call a
// function and compute sums.
func drain(b *Builder) {
	data := b.Param(U64, "data")
	b.Direct("reqntid", 64)
	bar := b.Declare(&Var{Space: Shared, Type: B64, Name: "bar"})
	tid := b.Let(U32, "mov.u32", Name("%tid.x"))
	first := b.Let(Pred, "setp.eq.u32", tid, Int(0))
	b.If(first, func() { b.Emit("mbarrier.init.shared::cta.b64", Addr{Base: bar}, Int(64)) })
	b.Emit("bar.sync", Int(0))
	b.Emit("mbarrier.arrive.shared::cta.b64", Sink, Addr{Base: bar})
	b.While(func() Operand {
		return Not(b.Let(Pred, "mbarrier.try_wait.parity.shared::cta.b64", Addr{Base: bar}, Int(0)))
	}, func() {})
	at := b.Let(U64, "ld.param.u64", Addr{Base: data})
	b.Emit("cvta.to.global.u64", at, at)
	sum := b.Let(F32, "mov.f32", single(0))
	b.For(Range{S32, Int(8), tid, -1}, func(i Name) {
		v := b.Regs(F32, 4)
		b.Emit("ld.global.v4.f32", v, Addr{Base: at, Offset: -16})
		b.IfElse(b.Let(Pred, "setp.gt.f32", v[0], v[1]),
			func() { b.Emit("add.f32", sum, sum, v[0]) },
			func() { b.Emit("fma.rn.f32", sum, v[2], v[3], single(0.5)) })
		b.Scope(func() {
			b.Add(&Var{Space: Param, Type: B32, Name: "x"})
			b.Add(&Var{Space: Param, Type: B32, Name: "y"})
			b.Emit("st.param.b32", Addr{Base: Name("x")}, i)
			b.Emit("call.uni", Args{Name("y")}, Name("next"), Args{Name("x")})
			b.Emit("ld.param.b32", sum, Addr{Base: Name("y")})
		})
	})
	b.EmitIf(Not(first), "st.global.f32", Addr{Base: at}, sum)
	b.Emit("ret")
}

// TestBuiltFile compares a Builder's output with testdata/src/built.ptx, which testdata/compile.sh passes to ptxas.
func TestBuiltFile(t *testing.T) {
	t.Parallel()
	k, n := NewKernel("drain"), NewFunc("next")
	drain(k)
	n.Emit("st.param.b32", Addr{Base: Name("out")}, n.Let(U32, "ld.param.b32", Addr{Base: n.Param(B32, "in")}))
	n.Emit("ret")
	next, err := n.Func()
	if err != nil {
		t.Fatal(err)
	}
	next.Returns = []*Var{{Space: Param, Type: B32, Name: "out"}}
	f, err := k.Func()
	if err != nil {
		t.Fatal(err)
	}
	m := &Module{Version: Version{8, 7}, Target: []string{"sm_90a"}, AddressSize: 64, Decls: []Decl{next, f}}
	want, err := os.ReadFile("testdata/src/built.ptx")
	if err != nil || m.String() != string(want) {
		t.Errorf("testdata/src/built.ptx is not what is built, %v:\n%v", err, m)
	}
}

func TestBuilderRefuses(t *testing.T) {
	t.Parallel()
	const types = "expected a type that registers have, found "
	const preds = "expected a predicate or its negation, found "
	none := func() {}
	for want, build := range map[string]func(b *Builder){
		types + "'f31' in k":     func(b *Builder) { b.Let("f31", "mov.b32", Int(1)) },
		types + "'texref2' in k": func(b *Builder) { b.Regs("texref2", 2) },
		preds + "3 in k":         func(b *Builder) { b.If(Int(3), none) },
		preds + "-p in k":        func(b *Builder) { b.EmitIf(Unary{'-', "p"}, "ret") },
		preds + "<nil> in k":     func(b *Builder) { b.While(func() Operand { return nil }, none) },

		"expected a step that is not 0, found 0 in k": func(b *Builder) {
			b.For(Range{S32, Int(0), Int(1), 0}, nil)
			b.Emit("") // a second mistake, which is not reported
		},
		"expected a type of integers to count with, found 'f32' in k": func(b *Builder) {
			b.For(Range{F32, Int(0), Int(1), 1}, nil)
		},
		"expected an opcode, found none in k": func(b *Builder) { b.Emit("") },
		"expected an operand, found nil as number 1 of 'mov.b32' in k": func(b *Builder) {
			b.Emit("mov.b32", Name("a"), nil)
		},
	} {
		b := NewFunc("k")
		build(b)
		f, err := b.Func()
		e, ok := errors.AsType[*Error](err)
		if !ok || f != nil || e.Code != CodeBuild || err.Error() != want {
			t.Errorf("%v, %v, want %s", f, err, want)
		}
	}
}
