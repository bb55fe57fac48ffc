package gemm

import "girih/banks"

// Predict returns the ledger that [Kernel.Run] would return for a problem of that size, without running it. It returns
// the errors of Run about the kernel and the size, but for the limits of what is simulated.
func (k Kernel) Predict(m, n, kk int64, target banks.Target) (Ledger, error) {
	if err := checkSize(m, n, kk); err != nil {
		return Ledger{}, err
	}
	r, err := newRun(&k, target)
	if err != nil {
		return Ledger{}, err
	}
	r.p = &Problem{M: m, N: n, K: kk}
	l := &r.ledger
	l.Tiles = [3]int64{tiles(m, k.Tile[0]), tiles(n, k.Tile[1]), tiles(kk, k.Tile[2])}
	all := l.Tiles[0] * l.Tiles[1] * l.Tiles[2]
	for _, s := range []struct {
		m      *mover
		extent int64
		again  int64 // how often each tile of the operand is moved
	}{{r.a, m, l.Tiles[1]}, {r.b, n, l.Tiles[0]}} {
		for _, x := range parts(s.extent, s.m.rows) {
			for _, y := range parts(kk, s.m.columns) {
				s.m.stages[0].add(s.m.perTile[0], x.size*y.size*int64(s.m.elem.Bits())/8, x.times*y.times*s.again)
			}
		}
		if s.m.regs != nil {
			s.m.stages[1].add(s.m.perTile[1], s.m.regBytes(), all)
		}
	}
	perTile := int64(r.threads.m * r.threads.n * r.c.restX * r.c.restY * r.a.frags.restY)
	l.Instructions = perTile * all
	l.Products = l.Instructions * int64(r.in.m*r.in.n*r.in.k)
	l.Useful = m * n * kk
	return r.result().Ledger, nil
}

// A part is tiles of one size along a mode of the problem.
type part struct{ size, times int64 }

// parts returns the tiles that a mode is cut into: whole ones, and a rest.
func parts(n, tile int64) []part {
	out := []part{{tile, n / tile}}
	if rest := n % tile; rest > 0 {
		out = append(out, part{rest, 1})
	}
	return out
}
