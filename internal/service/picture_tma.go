package service

import (
	"cmp"
	"fmt"

	"girih/cute"
	"girih/internal/picture/draw"
	"girih/internal/picture/view"
)

// tmaPictures are the pictures of copies by the copy engine.
func tmaPictures() []Picture {
	return []Picture{{
		Kind: "tma", Doc: "A tile that TMA copies: in the tensor and in shared memory, 16 bytes a cell. The value is the " +
			"tensor, the tile is given.",
		Example: "'(64,256):(256,1)' --as tma --tv 8,128 --type f16", draw: drawTMA,
	}}
}

// drawTMA plans the copy of a tile and draws it.
func drawTMA(d *drawJob) (*draw.Scene, error) {
	j := tmaJob{session: d.session, req: TMARequest{
		Expr: d.req.Expr, Type: cmp.Or(d.req.Type, "f16"), Box: d.req.Tile, Tile: "",
	}}
	info := j.read()
	if info == nil {
		info = j.tile()
	}
	if info != nil {
		d.usage = j.fault.Usage
		return nil, &cute.Error{Code: cute.Code(info.Code), Msg: info.Message, Hint: info.Hint}
	}
	d.notes = unique(append(d.notes, j.notes...))
	p, _, err := j.plan()
	if err != nil {
		return nil, err
	}
	if err := p.Map.Err(); err != nil {
		return nil, err
	}
	zero := cute.Int(0)
	if n := p.Tile.Rank(); !p.Tile.Shape().IsInt() {
		zero = cute.Ints(make([]int64, n)...)
	}
	list, err := p.Issue(zero)
	if err != nil {
		return nil, err
	}
	t := view.TMATile{Map: p.Map, Issue: list}
	global := j.copy.Global.String()
	if j.open != nil {
		global = j.open.String()
		for _, f := range p.Fields() {
			if f.Name == "globalDim" {
				t.Dims = f.Value + ", the tile inside"
			}
		}
	}
	t.Name = cmp.Or(d.req.Title, fmt.Sprintf("a tile of %s, TMA to %s", global, p.Shared))
	return view.TMA(t, d.opts)
}
