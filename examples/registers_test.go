package examples_test

import (
	"testing"

	"girih/dtype"
	"girih/examples"
	"girih/internal/check/long"
	"girih/kernel"
	"girih/ptx"
)

// TestRegistersSM80 counts the 32-bit registers of sgemm_sm80 that are live at once: 128 sums, two blocks of A and B,
// 32 each, and addresses. A thread has at most 255.
func TestRegistersSM80(t *testing.T) {
	t.Parallel()
	for i, tt := range []struct {
		o    examples.Options
		most int
	}{
		{examples.Options{}, 222},
		{examples.Options{Div: 4}, 225},
		{examples.Options{Div: 2}, 225},
		{examples.Options{Div: 1}, 233},
		{examples.Options{Div: 64}, 222},
		{examples.Options{Div: 128}, 222},
		{examples.Options{Sum: dtype.F16}, 160},
	} {
		if long.Skips(i, 3) {
			continue
		}
		k := trace(t, "sgemm_sm80", tt.o)
		if n := live(k); n > tt.most {
			t.Errorf("%+v: %d registers are live at once, want %d at most", tt.o, n, tt.most)
		}
	}
}

// live returns the largest number of 32-bit registers that are live at the same time. A register is live if some path
// reads it before writing it. Predicates are not counted.
func live(k *kernel.Kernel) int {
	type node struct {
		uses, defs []ptx.Name
		next       []int
	}
	var nodes []node
	labels := map[ptx.Name]int{}
	var jumps []ptx.Name // by node: the label to which it jumps, or ""
	for s := range k.Module.Func(ptx.Name(k.Name)).Stmts() {
		switch s := s.(type) {
		case *ptx.Label:
			labels[s.Name] = len(nodes)
		case *ptx.Instr:
			uses, defs := registersOf(s)
			n, jump := node{uses: uses, defs: defs}, ptx.Name("")
			if s.Op.Name() == "bra" {
				jump, _ = s.Operands[0].(ptx.Name)
			}
			if s.Op != "ret" && (jump == "" || s.Pred != "") {
				n.next = append(n.next, len(nodes)+1)
			}
			nodes, jumps = append(nodes, n), append(jumps, jump)
		}
	}
	nodes, jumps = append(nodes, node{}), append(jumps, "")
	for i, l := range jumps {
		if l != "" {
			nodes[i].next = append(nodes[i].next, labels[l])
		}
	}
	in := make([]map[ptx.Name]bool, len(nodes))
	for i := range in {
		in[i] = map[ptx.Name]bool{}
	}
	most := 0
	for changed := true; changed; {
		changed = false
		for i := len(nodes) - 1; i >= 0; i-- {
			now := map[ptx.Name]bool{}
			for _, j := range nodes[i].next {
				for r := range in[j] {
					now[r] = true
				}
			}
			for _, r := range nodes[i].defs {
				delete(now, r)
			}
			for _, r := range nodes[i].uses {
				now[r] = true
			}
			if len(now) != len(in[i]) {
				in[i], changed = now, true
			}
		}
	}
	for _, set := range in {
		n := 0
		for r := range set {
			switch {
			case r[:2] == "%p":
			case len(r) > 2 && r[:3] == "%rd":
				n += 2
			default:
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// registersOf returns the registers that an instruction reads and writes. A register written under a predicate is read
// too, because it keeps its value if the predicate is false.
func registersOf(in *ptx.Instr) (uses, defs []ptx.Name) {
	var walk func(o ptx.Operand, to *[]ptx.Name)
	walk = func(o ptx.Operand, to *[]ptx.Name) {
		switch o := o.(type) {
		case ptx.Name:
			if o[0] == '%' && o.Part() == "" {
				*to = append(*to, o)
			}
		case ptx.Vec:
			for _, x := range o {
				walk(x, to)
			}
		case ptx.Pair:
			walk(o.First, to)
			walk(o.Second, to)
		case ptx.Addr:
			walk(o.Base, &uses)
			for _, x := range o.Args {
				walk(x, &uses)
			}
		}
	}
	if in.Pred != "" {
		uses = append(uses, in.Pred)
	}
	for i, o := range in.Operands {
		to := &uses
		if i == 0 {
			switch in.Op.Name() {
			case "st", "cp", "bar", "bra", "barrier", "mbarrier", "stmatrix":
			default:
				to = &defs
			}
		}
		walk(o, to)
	}
	if in.Pred != "" {
		uses = append(uses, defs...)
	}
	return uses, defs
}
