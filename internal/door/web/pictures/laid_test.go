package pictures

import (
	"encoding/json"
	"testing"

	"girih/cute"
	"girih/internal/service"
)

// The cells of a thread-value picture have the sectors and banks of their elements, by the definition, and a color for
// each bank or for each of eight sectors.
func TestLaid(t *testing.T) {
	t.Parallel()
	needsNode(t)
	const mma = `mma("SM80_16x8x16_F32F16F16F32_TN")`
	const tiled = `tiled_copy(copy_atom("UniversalCopy<uint128_t>","f16"), (4,8):(8,1), (1,8))`
	cases := []struct {
		value, data, typ, space string
		operand                 int64
		refused                 string
	}{
		{value: mma, data: "(16,16):(16,1)", typ: "f16", space: "global"},
		{value: mma, data: "(16,16):(1,40)", typ: "f16", space: "shared"},
		{value: mma, data: "(16,8):(24,1)", typ: "f32", space: "global", operand: 2},
		{value: mma, data: "(16,8):(72,1)", typ: "f32", space: "shared", operand: 2},
		{value: tiled, data: "(4,64):(64,1)", typ: "f16", space: "shared"},
		{value: tiled, data: "(4,64):(1,4)", typ: "s8", space: "global"},
		{value: mma, data: "(16,32):(32,1)", typ: "f16", space: "global", refused: "size"},
		{value: mma, data: mma, typ: "f16", space: "global", refused: "layout"},
	}
	var questions []question
	for _, c := range cases {
		questions = append(questions, question{
			Ask: "laid", Op: c.space, Sample: []int64{c.operand},
			Answers: []string{
				inspected(t, service.InspectRequest{Expr: c.value}),
				inspected(t, service.InspectRequest{Expr: c.data, Type: c.typ}),
			},
		})
	}
	type answer struct {
		Refused  string
		Elements [][3]any
	}
	for k, got := range shows[answer](t, questions) {
		c := cases[k]
		if got.Refused != c.refused || c.refused != "" {
			if got.Refused != c.refused {
				t.Errorf("%v: refused with %q", c, got.Refused)
			}
			continue
		}
		var v struct{ Operands []struct{ Offset []int64 } }
		if err := json.Unmarshal([]byte(questions[k].Answers[0]), &v); err != nil {
			t.Fatal(err)
		}
		tv := v.Operands[c.operand]
		data, err := cute.Parse(c.data)
		if err != nil {
			t.Fatal(err)
		}
		colors := make(map[any]float64)
		for i, e := range got.Elements {
			offset, err := data.At(tv.Offset[i])
			if err != nil {
				t.Fatal(err)
			}
			bits := offset * bitsOf(c.typ)
			sector, bank := bits/256, bits/32%32
			if e[0] != float64(sector) || e[1] != float64(bank) {
				t.Errorf("%v: element %d is in sector %v, bank %v, want %d and %d", c, i, e[0], e[1], sector, bank)
			}
			of := float64(sector % 8)
			if c.space == "shared" {
				of = float64(bank)
			}
			if was, there := colors[e[2]]; there && was != of {
				t.Errorf("%v: one color for %v and %v", c, was, of)
			}
			colors[e[2]] = of
		}
		if len(got.Elements) != len(tv.Offset) || len(colors) == 0 {
			t.Errorf("%v: %d elements, want %d", c, len(got.Elements), len(tv.Offset))
		}
	}
}
