package scalar

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"girih/ptx"
)

// A Form is an instruction with all of its modifiers and types: what the assembler distinguishes.
type Form struct {
	Op     ptx.Op
	Family string
	// dst and src are the kinds of the operands, see [kind].
	dst, src []kind
	flags    flags
	operands string // as written in the table, if another form has the same opcode
}

// Name returns the opcode, with the kinds of the operands if several forms have the same opcode.
func (f *Form) Name() string {
	if f.operands == "" {
		return string(f.Op)
	}
	return string(f.Op) + " " + f.operands
}

// flags are the special properties of a form.
type flags struct {
	approx bool // the value is not fixed, only its error: no later instruction takes it
	loose  bool // no rounding is stated: the compiler may fuse a product and a sum, so no later instruction takes it
	newer  bool // sm_90a does not have it
	sync   bool // the lanes of a mask take part
	carry  carryUse
}

// carryUse says whether an instruction reads or writes the carry flag.
type carryUse uint8

const (
	writesCarry carryUse = 1 << iota
	readsCarry
)

// Newer reports whether only targets after sm_90a have the instruction.
func (f *Form) Newer() bool { return f.flags.newer }

// A row of the table has many forms: its text has alternatives in brackets, "add[|.sat].s32". The operands are kinds,
// destinations first: "T = T T". T is the last type of the opcode, D the first, and W an integer of twice the bits of
// T. A last operand "pred?" exists only if the opcode has a Boolean operator.
type row struct {
	family, text, operands, flags string
}

// forms are all forms of the table, in its order.
var forms = sync.OnceValue(func() []*Form {
	var all []*Form
	first := map[ptx.Op]*Form{}
	for _, rows := range [][]row{
		integerRows, carryRows, bitRows, floatRows, halfRows, compareRows(), convertRows, moveRows, warpRows, videoRows(),
	} {
		for _, r := range rows {
			for _, text := range expand(r.text) {
				f := r.form(ptx.Op(text))
				if first[f.Op] == nil {
					first[f.Op] = f
				} else {
					f.operands = shape(f)
					first[f.Op].operands = shape(first[f.Op])
				}
				all = append(all, f)
			}
		}
	}
	return all
})

// Forms returns all forms.
func Forms() []*Form { return slices.Clone(forms()) }

// expand returns all texts of a text with alternatives.
func expand(text string) []string {
	from := strings.IndexByte(text, '[')
	if from < 0 {
		return []string{text}
	}
	to := from + strings.IndexByte(text[from:], ']')
	var all []string
	rest := expand(text[to+1:])
	for _, choice := range strings.Split(text[from+1:to], "|") {
		for _, r := range rest {
			all = append(all, text[:from]+choice+r)
		}
	}
	return all
}

func (r row) form(op ptx.Op) *Form {
	f := &Form{Op: op, Family: r.family}
	for _, flag := range strings.Fields(r.flags) {
		switch flag {
		case "approx":
			f.flags.approx = true
		case "loose":
			f.flags.loose = true
		case "newer":
			f.flags.newer = true
		case "sync":
			f.flags.sync = true
		case "writes":
			f.flags.carry |= writesCarry
		case "reads":
			f.flags.carry |= readsCarry
		default:
			panic("no flag " + flag) // the table contains a mistake
		}
	}
	dst, src, _ := strings.Cut(r.operands, "=")
	f.dst, f.src = f.kinds(dst), f.kinds(src)
	return f
}

// kinds reads the operands of a row.
func (f *Form) kinds(text string) []kind {
	types := f.Op.Types()
	var all []kind
	for _, word := range strings.Fields(text) {
		switch {
		case word == "pred?":
			if f.Op.Has("and") || f.Op.Has("or") || f.Op.Has("xor") {
				all = append(all, "pred")
			}
			continue
		case word == "W":
			t := types[len(types)-1]
			word = fmt.Sprintf("%c%d", t[0], 2*t.Bits())
		case len(types) > 0:
			word = strings.ReplaceAll(word, "T", string(types[len(types)-1]))
			word = strings.ReplaceAll(word, "D", string(types[0]))
		}
		all = append(all, kind(word))
	}
	return all
}

// shape writes the kinds of the operands.
func shape(f *Form) string {
	var dst, src []string
	for _, k := range f.dst {
		dst = append(dst, string(k))
	}
	for _, k := range f.src {
		src = append(src, string(k))
	}
	return strings.Join(dst, "|") + "=" + strings.Join(src, ",")
}

// narrow reports whether an operand is a register of 8 bits.
func (f *Form) narrow() bool {
	return slices.ContainsFunc(append(f.dst[:len(f.dst):len(f.dst)], f.src...), func(k kind) bool {
		_, how := k.parts()
		return how == "own"
	})
}

// constants reports whether a source may be a constant. Video instructions take no constants. For some instructions the
// compiler has special rules for constants: x / 1 is x.
func (f *Form) constants() bool {
	return len(f.src) > 1 && f.Family != "convert" && f.Family != "video" && !f.flags.approx && !f.ofDoubles()
}

// ofDoubles reports whether a form computes with two or more values of .f64. If two are NaN, the result depends on the
// order in which the compiler puts the operands.
func (f *Form) ofDoubles() bool {
	return f.Family == "float" && len(f.src) > 1 && f.src[0] == "f64" && f.Op.Name() != "copysign"
}

// takes reports whether a form takes results of earlier instructions. Conversions do not, because the compiler joins
// two conversions.
func (f *Form) takes() bool { return f.Family != "convert" && !f.ofDoubles() }

// gives reports whether later instructions may take the results of a form: not if the values are not fixed, and not if
// compilers merge the instruction into later ones with another meaning. When integers are compared, driver 580 leaves
// other bits above the 16 bits of a set.f16 and of a neg.s16; it removes the sign of a NaN by a neg.f32 that only selp
// reads; and it omits an abs.bf16x2 of a sum with .sat.
func (f *Form) gives() bool {
	switch name := f.Op.Name(); {
	case f.flags.approx, f.flags.loose, name == "neg", name == "abs":
		return false
	case name == "set":
		types := f.Op.Types()
		return types[0].Bits() != 16
	}
	return f.Family != "float" && f.Family != "half" || !f.Op.Has("sat")
}
