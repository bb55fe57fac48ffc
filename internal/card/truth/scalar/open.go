package scalar

import (
	"fmt"
	"slices"

	"girih/ptx"
)

// An Open is a result that the ISA leaves to the machine, with the result of a card: a line of a file.
type Open struct {
	Open     string   `json:"open"`     // the reason why there is no rule: "division by 0"
	Form     string   `json:"form"`     // the opcode
	Operands []string `json:"operands"` // codes
	Result   string   `json:"result"`
}

const (
	signalling = 0x7ff4000000000001 // NaN of .f64 and .f32
	quiet      = 0xfff8000000000002
	signal32   = 0x7fa00001
	quiet32    = 0xffc00002
)

// openRows are operands for which the ISA has no rule, or no binding one. Each lane has a list.
var openRows = []struct {
	why  string
	ops  []ptx.Op
	list [][]uint64
}{
	{"division by 0", []ptx.Op{"div.u16", "div.s16", "rem.u16", "rem.s16"}, [][]uint64{{0, 0}, {7, 0}, {0xfff9, 0}}},
	{"division by 0", []ptx.Op{"div.u32", "div.s32", "rem.u32", "rem.s32"}, [][]uint64{{0, 0}, {7, 0}, {0xfffffff9, 0}}},
	{
		"division by 0",
		[]ptx.Op{"div.u64", "div.s64", "rem.u64", "rem.s64"},
		[][]uint64{{0, 0}, {7, 0}, {0xfffffffffffffff9, 0}},
	},
	{"the quotient does not exist", []ptx.Op{"div.s16", "rem.s16"}, [][]uint64{{1 << 15, 0xffff}}},
	{"the quotient does not exist", []ptx.Op{"div.s32", "rem.s32"}, [][]uint64{{1 << 31, 0xffffffff}}},
	{"the quotient does not exist", []ptx.Op{"div.s64", "rem.s64"}, [][]uint64{{1 << 63, 1<<64 - 1}}},
	{
		"a position or length above 255",
		[]ptx.Op{"bfe.u32", "bfe.s32", "bfe.u64", "bfe.s64"},
		[][]uint64{{0x89abcdef, 0x104, 8}, {0x89abcdef, 4, 0x108}, {0x89abcdef, 4, 0x100}},
	},
	{
		"a position or length above 255",
		[]ptx.Op{"bfi.b32", "bfi.b64"},
		[][]uint64{{0x123, 0x89abcdef, 0x104, 8}, {0x123, 0x89abcdef, 4, 0x108}, {0x123, 0x89abcdef, 4, 0x100}},
	},
	{"a base above 31", []ptx.Op{"fns.b32"}, [][]uint64{{0xffffffff, 32, 0}, {0xffffffff, 32, 1}, {0xffffffff, 33, 0xffffffff}}},
	{"an offset without a magnitude", []ptx.Op{"fns.b32"}, [][]uint64{{0xffffffff, 4, 1 << 31}}},
	{
		"the payload of a NaN",
		[]ptx.Op{"add.rn.f64", "sub.rn.f64", "mul.rn.f64", "div.rn.f64", "min.f64", "max.f64"},
		[][]uint64{{signalling, quiet}, {quiet, signalling}, {signalling, 1 << 62}, {1 << 62, signalling}},
	},
	{
		"the payload of a NaN",
		[]ptx.Op{"fma.rn.f64"},
		[][]uint64{
			{signalling, quiet, quiet + 1}, {signalling, 1 << 62, quiet}, {signalling, 1 << 62, 1 << 62}, {0x7ff << 52, 0, 0},
		},
	},
	{"the payload of a NaN", []ptx.Op{"abs.f64", "neg.f64", "rcp.rn.f64", "sqrt.rn.f64", "cvt.f64.f64", "cvt.rni.f64.f64"}, [][]uint64{{signalling}, {quiet}}},
	{"the payload of a NaN", []ptx.Op{"add.rn.f64"}, [][]uint64{{0x7ff << 52, 0xfff << 52}}},
	{"the payload of a NaN", []ptx.Op{"abs.f32", "neg.f32", "cvt.f32.f32", "cvt.f64.f32", "cvt.ftz.f64.f32", "cvt.rn.f16.f32", "cvt.rna.tf32.f32"}, [][]uint64{{signal32}, {quiet32}}},
	{"the payload of a NaN", []ptx.Op{"cvt.rn.f32.f64", "cvt.rn.f16.f64", "cvt.rn.bf16.f64"}, [][]uint64{{signalling}, {quiet}}},
	{"the payload of a NaN", []ptx.Op{"abs.f16", "neg.f16", "cvt.f32.f16", "cvt.f64.f16"}, [][]uint64{{0x7d01}, {0xfe02}}},
	{"the payload of a NaN", []ptx.Op{"abs.bf16", "neg.bf16", "cvt.f32.bf16", "cvt.f64.bf16"}, [][]uint64{{0x7fa1}, {0xffc2}}},
	{"a NaN has no integer", []ptx.Op{"cvt.rni.s32.f32", "cvt.rni.u32.f32", "cvt.rni.s64.f32", "cvt.rni.u64.f32"}, [][]uint64{{signal32}, {quiet32}}},
	{"a NaN has no integer", []ptx.Op{"cvt.rni.s32.f64", "cvt.rni.u32.f64", "cvt.rni.s64.f64", "cvt.rni.u64.f64"}, [][]uint64{{signalling}, {quiet}}},
	{"a subnormal .f32 that is rounded away from 0 to .f16 with .ftz", []ptx.Op{"cvt.rp.ftz.f16.f32"}, [][]uint64{{1}, {0x7fffff}}},
	{
		"a result that is normal only when rounded, with .ftz",
		[]ptx.Op{"mul.rn.ftz.f32", "mul.rp.ftz.f32"},
		[][]uint64{{0x3f7fffff, 0x00800000}, {0x20000001, 0x20000000 - 2}, {0x1fffffff, 0x20000000}, {0x20000001, 0x1ffffffd}},
	},
}

// NewOpen returns a shard with the operands of the open results.
func NewOpen() *Shard {
	g := &generator{random: 1, shard: &Shard{}, kernel: &kernel{name: "open"}}
	g.shard.kernels = []*kernel{g.kernel}
	for _, r := range openRows {
		for _, op := range r.ops {
			f := formOf(op)
			g.kernel.programs = append(g.kernel.programs, program{})
			p := &g.kernel.programs[len(g.kernel.programs)-1]
			s := step{form: f, guard: -1}
			for i, k := range f.src {
				var v [Lanes]uint64
				for lane := range v {
					v[lane] = r.list[lane%len(r.list)][i]
				}
				s.src = append(s.src, operand{value: g.put(v, max(16, k.bits()))})
			}
			for _, k := range f.dst {
				g.destinations(&s, k)
			}
			p.steps = append(p.steps, s)
		}
	}
	return g.shard
}

// formOf returns the form of an opcode.
func formOf(op ptx.Op) *Form {
	i := slices.IndexFunc(forms(), func(f *Form) bool { return f.Op == op })
	return forms()[i] // the tables belong to this package
}

// Opens returns the open results of the shard of [NewOpen].
func (s *Shard) Opens(results []uint64) []Open {
	var all []Open
	k := s.kernels[0]
	i := 0
	for _, r := range openRows {
		for range r.ops {
			st := &k.programs[i].steps[0]
			i++
			c := comparison{shard: s, kernel: k, step: st, card: results}
			slot := k.values[st.dst[0].value].slot
			for lane, list := range r.list {
				bits := func(o operand) int { return k.values[o.value].bits }
				o := Open{Open: r.why, Form: string(st.form.Op)}
				o.Result = hexadecimal(results[slot*Lanes+lane], bits(st.dst[0]))
				for j := range list {
					o.Operands = append(o.Operands, hexadecimal(c.source(st.src[j], lane), bits(st.src[j])))
				}
				all = append(all, o)
			}
		}
	}
	return all
}

func hexadecimal(v uint64, bits int) string { return fmt.Sprintf("%0*x", bits/4, v) }
