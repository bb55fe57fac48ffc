package eval

import (
	"cmp"
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/lang/syntax"
	"girih/tensormap"
)

// This file defines the values for TMA copies, which NVIDIA's copy engine executes.

// KindTMACopy is the kind of TMA copies.
const KindTMACopy Kind = "tma_copy"

// A TMACopy is the plan by which the copy engine moves a tile of a tensor into shared memory: CuTe's make_tma_copy. Its
// text contains the operands and the result: the arguments of the tensor map in the driver's order, with dims and box
// in elements and strides in bytes, and the instructions and bytes of a tile.
type TMACopy struct {
	tensormap.Plan
	of tensormap.Copy
}

func (TMACopy) value() {}

// Kind returns [KindTMACopy].
func (TMACopy) Kind() Kind { return KindTMACopy }

// String returns tma_copy{gmem=L, smem=L, type=f16, dims=[512,1024], strides=[1024], box=[64,128],
// swizzle=CU_TENSOR_MAP_SWIZZLE_128B, instructions=1, expect_tx=16384}.
func (t TMACopy) String() string {
	var b strings.Builder
	b.WriteString("tma_copy{")
	for i, f := range t.fields() {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(f[0] + "=" + f[1])
	}
	b.WriteByte('}')
	return b.String()
}

// fields returns the names and the texts of the fields.
func (t TMACopy) fields() [][2]string {
	list := [][2]string{{"gmem", t.of.Global.String()}, {"smem", t.of.Shared.String()}, {"type", t.of.Type.PTX()}}
	if t.of.Tiler != nil {
		list = append(list, [2]string{"tiler", tilerValue(t.of.Tiler).String()})
	}
	if t.of.Multicast > 1 {
		list = append(list, [2]string{"ctas", fmt.Sprint(t.of.Multicast)})
	}
	return append(list, [][2]string{
		{"dims", inBrackets(t.Map.Dims)},
		{"strides", inBrackets(t.Map.Strides)},
		{"box", inBrackets(t.Map.Box)},
		{"swizzle", t.Map.Swizzle.String()},
		{"instructions", fmt.Sprint(t.Instructions)},
		{"expect_tx", fmt.Sprint(t.Expect)},
	}...)
}

func inBrackets(xs []int64) string {
	var b strings.Builder
	writeCoords(&b, xs)
	return b.String()
}

// tmaCopy plans a copy. A plan that the driver refuses, or that does not put each element where the layout of shared
// memory has it, is an error.
func (e *Env) tmaCopy(of tensormap.Copy) (Value, error) {
	p, err := tensormap.Make(of)
	if err != nil {
		return nil, err
	}
	if err := p.Map.Err(); err != nil {
		return nil, err
	}
	for _, r := range p.Map.Remarks() {
		if r.Fatal {
			p.Faults = append(p.Faults, r)
		}
	}
	if len(p.Faults) > 0 {
		e := &cute.Error{Code: cute.CodeNotRepresentable, Op: "tma", Msg: p.Faults[0].Text, Hint: p.Faults[0].Change}
		for _, r := range p.Faults[1:] {
			e.Msg += "; " + r.Text
		}
		return nil, e
	}
	for _, s := range p.Steps {
		if s.Name == "tma_gbasis" {
			e.note("tma_gbasis is %s", s.Value)
		}
	}
	e.note("shared memory begins at a multiple of %d bytes", max(p.Map.Align(), 128))
	for _, n := range append(p.Why, p.Notes...) {
		e.note("%s", n)
	}
	return TMACopy{p, of}, nil
}

// tmaRecord evaluates tma_copy{gmem=L, smem=L, type=f16, tiler=(128,64), ctas=2}. Fields that follow from these are
// compared with the plan.
func (e *Env) tmaRecord(x *syntax.Record) (Value, error) {
	given := map[string]syntax.Expr{}
	for _, f := range x.Fields {
		if given[f.Name] != nil {
			return nil, e.fail(f.X, &cute.Error{Code: cute.CodeName, Msg: "the field " + f.Name + " is given twice"})
		}
		given[f.Name] = f.X
	}
	c := &call{env: e, fn: table().byName["make_tma_copy"], written: "tma_copy", expr: x}
	for i, name := range []string{"gmem", "smem", "type", "tiler", "ctas"} {
		if given[name] == nil && i < 3 {
			return nil, e.fail(x, &cute.Error{Code: cute.CodeName, Msg: "a tma_copy has the fields gmem, smem and type"})
		}
		v, err := e.tmaField(name, given[name])
		if err != nil {
			return nil, err
		}
		c.at = append(c.at, cmp.Or(given[name], syntax.Expr(x)))
		c.args = append(c.args, v)
		delete(given, name)
	}
	if dynamic(c.args[0]) || c.args[1] != nil && dynamic(c.args[1]) {
		return nil, e.fail(x, &cute.Error{Code: cute.CodeUnknown, Op: "tma", Msg: "a tma_copy has integers that are known"})
	}
	v, err := c.makeTMACopy()
	if err != nil {
		return nil, e.fail(x, err)
	}
	if err := e.checkTMAFields(x, v.(TMACopy), given); err != nil {
		return nil, err
	}
	return v, nil
}

// tmaField evaluates one of the fields from which a copy is made. It returns nil if the field is missing.
func (e *Env) tmaField(name string, f syntax.Expr) (Value, error) {
	if f == nil {
		return nil, nil
	}
	if of, ok := e.names(f); ok && name == "type" {
		return of, nil
	}
	return e.expr(f)
}

// checkTMAFields compares the other given fields with the plan, and refuses fields that a copy does not have.
func (e *Env) checkTMAFields(x *syntax.Record, v TMACopy, given map[string]syntax.Expr) error {
	for _, f := range v.fields() {
		if is := given[f[0]]; is != nil && strings.ReplaceAll(is.String(), " ", "") != f[1] {
			return e.fail(is, &cute.Error{
				Code: cute.CodeType, Op: "tma", Msg: fmt.Sprintf("%s of this copy is %s, found %s", f[0], f[1], is),
			})
		}
		delete(given, f[0])
	}
	for _, f := range x.Fields { // in the order of the fields
		if given[f.Name] != nil {
			return e.fail(f.X, &cute.Error{Code: cute.CodeName, Msg: "a tma_copy has no field " + f.Name})
		}
	}
	return nil
}
