package sim

import (
	"math/rand/v2"
	"slices"
	"testing"

	"girih/internal/check/long"
	"girih/tensormap"
)

// TestPlansAreMoved checks that a plan that is reused at another place equals a plan made for that place.
func TestPlansAreMoved(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	r := rand.New(rand.NewPCG(5, 6))
	types := []tensormap.Type{tensormap.UInt8, tensormap.Float16, tensormap.Float32, tensormap.U4Align8}
	kept := 0
	for range 150 {
		m := tensormap.Map{
			Type: types[r.IntN(len(types))], Address: 4096, Swizzle: tensormap.Swizzle(r.IntN(4)),
		}
		bits := m.Type.Bits()
		m.Dims, m.Steps = []int64{128 * 4 / bits * (1 + r.Int64N(3))}, []int64{1}
		m.Box = []int64{128 * (1 + r.Int64N(2)) / bits}
		if r.IntN(3) == 0 && bits >= 8 {
			m.Dims[0] -= r.Int64N(3)
		}
		stride := (m.Dims[0]*bits + 127) / 128 * 16
		for range r.IntN(3) {
			m.Strides = append(m.Strides, stride)
			m.Dims, m.Box, m.Steps = append(m.Dims, 1+r.Int64N(12)), append(m.Box, 1+r.Int64N(4)), append(m.Steps, 1+r.Int64N(2))
			stride *= m.Dims[len(m.Dims)-1]
		}
		b, err := m.Encode()
		if err != nil {
			continue
		}
		object := newTensorObject(b[:])
		for range 60 {
			u := boxUse{store: r.IntN(2) == 0}
			u.Shared = 128 * r.Int64N(20)
			for i, d := range m.Dims {
				x := r.Int64N(d+4) - 2
				if i == 0 && r.IntN(8) != 0 {
					x = (r.Int64N(6) - 1) * 128 / bits
				}
				u.Coord = append(u.Coord, x)
			}
			before := len(object.plans)
			p, base, err := object.plan(u)
			q, errFresh := planOf(object.Map, u)
			if (err == nil) != (errFresh == nil) {
				t.Fatalf("%s, %+v: %v, and then %v", m, u, errFresh, err)
			}
			if err != nil {
				continue
			}
			if len(object.plans) == before {
				kept++
			}
			moved := &boxPlan{slices.Clone(p.runs), p.shared, slices.Clone(p.global), slices.Clone(p.spare)}
			moved.move(base)
			for i := range moved.runs {
				if moved.runs[i].kind == outside {
					moved.runs[i].global = q.runs[i].global
				}
			}
			if !slices.Equal(moved.runs, q.runs) || !slices.Equal(moved.shared, q.shared) ||
				!slices.Equal(moved.global, q.global) || !slices.Equal(moved.spare, q.spare) {
				t.Fatalf("%s, %+v:\n%v\n%v", m, u, moved, q)
			}
		}
	}
	if kept < 1000 {
		t.Errorf("%d plans were kept", kept)
	}
}
