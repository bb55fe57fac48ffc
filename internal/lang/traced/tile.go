package traced

import (
	"fmt"
	"slices"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/internal/lang/eval"
	"girih/internal/lang/interp"
	"girih/kernel"
)

// This file divides tensors among blocks and threads: local_tile and local_partition, with their coordinates.

// A tiling is the tiler and the coordinate of local_tile, by mode, without the modes that a projection leaves out.
type tiling struct {
	of    *tensor
	tiler []interp.Value
	parts []cute.Tiler
	sizes []int64 // of the tiler, where its modes are integers
	at    []kernel.Index
}

// tilingOf reads the arguments of local_tile(tensor, tiler, coord, proj).
func (t *Tracer) tilingOf(c *interp.TracedCall) (x tiling, ok bool) {
	var args [4]interp.Value
	for i, name := range []string{"input", "tiler", "coord", "proj"} {
		if args[i] = c.Keys[name]; i < len(c.Args) {
			args[i] = c.Args[i]
		}
	}
	if x.of, ok = t.of(args[0]); !ok {
		return x, false
	}
	tiler, okTiler := modesOf(args[1])
	coord, okCoord := modesOf(args[2])
	if !okTiler || !okCoord {
		return x, false
	}
	proj := args[3]
	if proj != nil {
		if tiler, coord, ok = dice(proj, tiler, coord); !ok {
			return x, false
		}
	}
	if x.at, ok = coordinates(coord); !ok {
		return x, false
	}
	x.tiler = tiler
	for _, v := range tiler {
		n, isInt := interp.Integer(v)
		switch of := valueOf(v).(type) {
		case eval.Layout:
			x.parts = append(x.parts, of.Layout)
		case eval.Tuple:
			x.parts = append(x.parts, of.Tuple)
		default:
			if !isInt {
				return x, false
			}
			x.parts = append(x.parts, cute.Int(n))
		}
		if isInt {
			x.sizes = append(x.sizes, n)
		}
	}
	return x, true
}

// dice keeps the modes of a tiler and of a coordinate for which a projection is not X.
func dice(proj interp.Value, tiler, coord []interp.Value) (tiles, coords []interp.Value, ok bool) {
	p, ok := modesOf(proj)
	if !ok || len(p) != len(tiler) || len(p) != len(coord) {
		return nil, nil, false
	}
	for i, x := range p {
		if !isOpen(x) {
			tiles, coords = append(tiles, tiler[i]), append(coords, coord[i])
		}
	}
	return tiles, coords, true
}

// localTile implements local_tile.
func (t *Tracer) localTile(c *interp.TracedCall) (interp.Value, error) {
	x, ok := t.tilingOf(c)
	if !ok {
		return nil, unknown(c)
	}
	v, err := shadow(c)
	if err != nil {
		return nil, err
	}
	t.recordTiles(x)
	of := x.of.t
	if len(x.sizes) == len(x.tiler) {
		of = t.pad(x.of, x.sizes)
	}
	if n := len(x.tiler); len(x.sizes) == n && x.of.t.Rank() == n && len(x.at) == n {
		return t.agree(c.Name, wrap(t.k.LocalTile(of, x.sizes, x.at...), x.of, v))
	}
	flat := t.k.FlatDivide(of, cute.MakeTile(x.parts...))
	tile := slices.Repeat([]kernel.Index{kernel.Open}, len(x.parts))
	return t.agree(c.Name, wrap(t.k.Slice(flat, append(tile, x.at...)...), x.of, v))
}

// recordTiles records the tiles of a tensor in global memory.
func (t *Tracer) recordTiles(x tiling) {
	if x.of.space != atom.GlobalMemory && x.of.axes == nil || len(x.tiler) != x.of.t.Rank() || len(x.at) != len(x.tiler) {
		return
	}
	for i, v := range x.tiler {
		n, ok := interp.Integer(v)
		if m, known := x.of.t.Extent(i).Int64(); ok && known {
			t.out.Tiles = append(t.out.Tiles, Tile{Extent: m, Size: n * t.blocksAlong(x.at[i]), Walks: x.at[i] == kernel.Open})
		}
	}
}

// blocksAlong returns the number of tiles of a cluster along the dimension of the grid that a coordinate is, perhaps
// divided by the number of blocks that have a tile together.
func (t *Tracer) blocksAlong(at kernel.Index) int64 {
	for i, n := range t.cluster {
		for group := int64(1); group < n; group++ {
			if n%group == 0 && at == t.k.BlockIdx(i).Div(group) {
				return n / group
			}
		}
	}
	return 1
}

// localPartition implements local_partition(tensor, threads, thread, proj).
func (t *Tracer) localPartition(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) < 3 || len(c.Args) > 4 {
		return nil, unknown(c)
	}
	of, ok := t.of(c.Args[0])
	threads, isLayout := valueOf(c.Args[1]).(eval.Layout)
	i, isIndex := indexOf(c.Args[2])
	if !ok || !isLayout || !isIndex {
		return nil, unknown(c)
	}
	v, err := shadow(c)
	if err != nil {
		return nil, err
	}
	proj := c.Keys["proj"]
	if len(c.Args) == 4 {
		proj = c.Args[3]
	}
	if whole, ok := valueOf(proj).(eval.Tuple); proj == nil || ok && whole.Rank() == threads.Rank() {
		return t.agree(c.Name, wrap(t.k.LocalPartition(of.t, threads.Layout, i.Index), of, v))
	}
	p, ok := valueOf(proj).(eval.Coord)
	if !ok {
		return nil, unknown(c)
	}
	return t.agree(c.Name, wrap(t.k.LocalPartitionProj(of.t, threads.Layout, i.Index, p.Coord), of, v))
}

// modesOf returns the modes of a tuple, a coordinate or a tiler; a number is one mode.
func modesOf(v interp.Value) ([]interp.Value, bool) {
	if t, ok := v.(interp.Tuple); ok {
		return t, true
	}
	if t, ok := v.(*interp.List); ok {
		return t.Elems, true
	}
	if _, ok := indexOf(v); ok {
		return []interp.Value{v}, true
	}
	var out []interp.Value
	one := func(v eval.Value) { out = append(out, interp.Algebra{Result: eval.Result{Value: v}}) }
	switch x := valueOf(v).(type) {
	case eval.Tuple:
		for _, m := range x.Modes() {
			one(eval.Tuple{Tuple: m})
		}
	case eval.Coord:
		for _, m := range x.Modes() {
			one(eval.Coord{Coord: m})
		}
	case eval.Tile:
		for _, m := range x.Modes() {
			switch m := m.(type) {
			case cute.Layout:
				one(eval.Layout{Layout: m})
			case cute.Tuple:
				one(eval.Tuple{Tuple: m})
			default:
				return nil, false
			}
		}
	case eval.Layout:
		return []interp.Value{v}, true
	default:
		return nil, false
	}
	return out, true
}

// isOpen reports whether a coordinate is _, or consists of _ only.
func isOpen(v interp.Value) bool {
	switch x := v.(type) {
	case interp.None:
		return true
	case interp.Tuple:
		return len(x) > 0 && !slices.ContainsFunc(x, func(y interp.Value) bool { return !isOpen(y) })
	}
	c, ok := valueOf(v).(eval.Coord)
	return ok && strings.Trim(c.String(), "(_, )") == ""
}

// coordinates returns the coordinates of modes; ok is false if one is neither an integer nor open.
func coordinates(list []interp.Value) ([]kernel.Index, bool) {
	out := make([]kernel.Index, len(list))
	for i, v := range list {
		if isOpen(v) {
			out[i] = kernel.Open
			continue
		}
		x, ok := indexOf(v)
		if !ok {
			if c, isCoord := valueOf(v).(eval.Coord); isCoord {
				var n int64
				if _, err := fmt.Sscan(c.String(), &n); err == nil {
					out[i] = kernel.Int(n)
					continue
				}
			}
			return nil, false
		}
		out[i] = x.Index
	}
	return out, true
}
