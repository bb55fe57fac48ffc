package service

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/lang/report"
	"girih/tensormap"
)

// This file makes the response of tma from a plan.

// response fills in what all maps have.
func (j *tmaJob) response(p tensormap.Plan) TMAResponse {
	m := p.Map
	r := TMAResponse{
		OK: true, Legal: m.Legal(), Global: j.copy.Global.String(), Type: j.typ, Function: m.Mode.Function(), Align: m.Align(),
		Bytes: m.Bytes(), Notes: j.notes,
	}
	if j.open != nil {
		r.Global = j.open.String()
	}
	for _, f := range p.Fields() {
		if f.Name == "globalAddress" && j.req.Address == "" {
			f.Value = "the tensor's"
		}
		r.Fields = append(r.Fields, TMAField(f))
	}
	for _, b := range m.Check() {
		r.Broken = append(r.Broken, TMABreach{Rule: string(b.Rule), Text: b.Text, Change: b.Change, Source: b.Rule.Source()})
	}
	j.clauses(&r, p)
	for _, k := range p.Remarks() {
		if k.Fatal {
			r.Legal = false
			r.Broken = append(r.Broken, TMABreach{
				Rule: "nothing", Text: k.Text, Change: k.Change, Source: k.Source,
			})
			continue
		}
		r.Notes = append(r.Notes, k.Text)
	}
	return r
}

// issue lists instructions and the parts of a cluster.
func (j *tmaJob) issue(r *TMAResponse, p tensormap.Plan) *report.Error {
	rank := p.Tile.Rank()
	at := slices.Repeat([]int64{0}, rank)
	if j.req.Tile != "" {
		list, ok := tmaNumbers(j.req.Tile)
		if !ok || len(list) > rank {
			return j.wrong("expected the number of a tile in each of %d modes, found %.40q", rank, j.req.Tile)
		}
		copy(at, list)
	}
	if extents, err := cute.ProductEach(p.Tile.Shape()); err == nil && r.Legal && j.open == nil {
		r.Notes = append(r.Notes, outsideTensor(j.copy.Global, extents, at)...)
	}
	if p.Instructions > 1<<12 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d instructions are not listed", p.Instructions))
		return nil
	}
	tile := cute.Ints(at...)
	if p.Tile.Shape().IsInt() {
		tile = cute.Int(at[0])
	}
	list, err := p.Issue(tile)
	if err != nil {
		return report.Of(err)
	}
	for _, in := range list {
		r.Issue = append(r.Issue, TMACopy{CTA: in.CTA, Coord: in.Coord, Shared: in.Shared})
	}
	return j.parts(r)
}

// parts lists what each CTA of a cluster loads, and for which CTAs.
func (j *tmaJob) parts(r *TMAResponse) *report.Error {
	if j.cluster == nil {
		return nil
	}
	parts, err := j.cluster.PartsA()
	if j.operand == "B" {
		parts, err = j.cluster.PartsB()
	}
	if err != nil {
		return report.Of(err)
	}
	for _, q := range parts {
		r.Parts = append(r.Parts, TMAPart{Rank: q.Rank, M: q.M, N: q.N, Slice: q.Slice, Mask: fmt.Sprintf("0x%x", q.Mask)})
	}
	return nil
}

// outsideTensor says along which modes a tile with the given extents contains no element of the tensor.
func outsideTensor(global cute.Layout, extents cute.Tuple, at []int64) []string {
	sizes, tiles := global.Modes(), extents.Modes()
	if extents.IsInt() {
		sizes, tiles = []cute.Layout{global}, []cute.Tuple{extents}
	}
	var notes []string
	for i := range min(len(at), len(sizes), len(tiles)) {
		n, _ := tiles[i].Int64()
		if last := (sizes[i].Size() - 1) / max(n, 1); at[i] < 0 || at[i] > last {
			notes = append(notes, fmt.Sprintf("tile %d of mode %d is outside of the tensor, whose tiles are 0 to %d there: all of it is filled, "+
				"and expect_tx counts it", at[i], i, last))
		}
	}
	return notes
}

// verdict says on one line what the answer is.
func (r *TMAResponse) verdict(m tensormap.Map) {
	refused := slices.ContainsFunc(r.Broken, func(b TMABreach) bool { return b.Rule != "landing" })
	switch n := len(r.Broken); {
	case n > 0 && !refused:
		r.Verdict = "illegal: the driver takes the map, but the copy does not place the tile as its layout says"
	case n > 0:
		r.Verdict = fmt.Sprintf("illegal: %s", plural(n, "broken rule"))
	case r.Instructions == 1:
		r.Verdict = fmt.Sprintf("legal: one instruction for a tile, expect_tx %d bytes", r.Expect)
	default:
		r.Verdict = fmt.Sprintf("legal: %d instructions for a tile, expect_tx %d bytes", r.Instructions, r.Expect)
	}
	if m.Mode != tensormap.Tiled && r.Legal {
		r.Verdict = fmt.Sprintf("legal: one instruction for %d pixels of %d channels, expect_tx %d bytes", m.Pixels,
			m.Channels, r.Expect)
		if r.Expect > r.Bytes {
			r.Verdict += fmt.Sprintf(" of all %d CTAs that share the tile", r.Expect/r.Bytes)
		}
	}
}
