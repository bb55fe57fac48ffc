package lower

import (
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/ptx"
)

// The steps equal CuTe's fma of the operation, part by part (cute/arch/mma_sm80.hpp, mma_sm90.hpp).
func TestSteps(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"SM80_8x8x4_C64C64C64C64_TN": {
			"{d0, d2}, {a0}, {b0}, {c0, c2};", "{d1, d3}, {a1}, {b0}, {c1, c3};",
			"neg.f64", "{d0, d2}, {-a1}, {b1}, {d0, d2};", "{d1, d3}, {a0}, {b1}, {d1, d3};",
		},
		"SM80_8x8x4_GC64C64C64GC64_TN": {
			"{d0, d3}, {a0}, {b0}, {c0, c3};", "{d1, d4}, {a1}, {b1}, {c1, c4};",
			"add.f64", "add.f64", "{d2, d5}, {a0+a1}, {b0+b1}, {c2, c5};",
		},
	} {
		m, err := atom.FindMMA(name)
		if err != nil {
			t.Fatal(err)
		}
		b := ptx.NewKernel("k")
		o := Operands{
			D: named("d", m.Registers.D.Count), A: named("a", m.Registers.A.Count),
			B: named("b", m.Registers.B.Count), C: named("c", m.Registers.C.Count),
		}
		if err := MMA(b, m, o); err != nil {
			t.Fatal(err)
		}
		f, err := b.Func()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		sums := map[string]string{} // what the new registers contain
		for _, s := range f.Body.Stmts {
			in, ok := s.(*ptx.Instr)
			if !ok {
				continue
			}
			text := in.String()
			op, rest, _ := strings.Cut(strings.TrimSuffix(text, ";"), " ")
			part := strings.Split(rest, ", ")
			switch op {
			case "neg.f64":
				sums[part[0]] = "-" + part[1]
				got = append(got, op)
			case "add.f64":
				sums[part[0]] = part[1] + "+" + part[2]
				got = append(got, op)
			default:
				for register, sum := range sums {
					rest = strings.ReplaceAll(rest, "{"+register+"}", "{"+sum+"}")
				}
				got = append(got, rest+";")
			}
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s is\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		o.A = o.A[1:]
		wantCode(t, MMA(ptx.NewKernel("k"), m, o), cute.CodeExtent)
		m.Text = "mma d.re, a.x, b.re, c.re;"
		_, err = Steps(m)
		wantCode(t, err, cute.CodeType)
	}
}

func named(name string, n int) ptx.Vec {
	var v ptx.Vec
	for i := range n {
		v = append(v, ptx.Name(name+string(rune('0'+i))))
	}
	return v
}
