package gpu_test

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/gpu"
	"girih/internal/check/long"
	"girih/internal/check/product"
	"girih/kernel/gemm"
)

// TestGemmRandom runs random products of all types and majors, on the card's choice and on mma.sync, against their
// definition.
func TestGemmRandom(t *testing.T) {
	d := card(t)
	c, err := d.GemmCard()
	if err != nil {
		t.Skip(err)
	}
	for seed := range long.Cases(100, 600) {
		r := rand.New(rand.NewPCG(38, seed))
		p := product.Draw(seed, r)
		if seed%3 == 0 { // tiles of all sizes
			p.M, p.N, p.K = p.M*3, p.N*3, p.K*3
			p.A, p.B = product.Layout(p.M, p.K, p.L, r), product.Layout(p.N, p.K, p.L, r)
			p.C, p.D = product.Layout(p.M, p.N, p.L, r), product.Layout(p.M, p.N, p.L, r)
		}
		o := []gemm.Options{{}, {Instruction: "mma.sync"}, {}, {Split: 2}, {}, {Roles: "ping-pong"}, {}, {Cluster: 2}}[seed%8]
		plan, err := gemm.New(p, c, o)
		if errors.Is(err, cute.CodeLimit) || errors.Is(err, cute.CodeType) {
			plan, err = gemm.New(p, c, gemm.Options{})
		}
		if errors.Is(err, cute.CodeType) {
			continue // not for this card
		}
		check(t, err)
		if err := runTrial(t, d, product.New(p, r), plan); err != nil {
			t.Errorf("%d: %v\n%v", seed, err, plan)
		}
	}
}

// runTrial runs a plan on the card and compares D with its definition.
func runTrial(t *testing.T, d *gpu.Device, x *product.Trial, plan *gemm.Plan) error {
	args := gpu.Args{}
	for name, v := range x.Numbers {
		args[name] = float32(v)
	}
	for name, v := range x.Tensors() {
		b := upload(t, d, stored(t, x.Type(name), v))
		args[name] = b
		defer func() { check(t, b.Close()) }()
	}
	if err := d.Gemm(t.Context(), plan, args); err != nil {
		return err
	}
	out, size := args["D"].(*gpu.Buffer[byte]), x.Problem.Out.Bits()/8
	got := make([]byte, out.Len())
	check(t, out.Read(t.Context(), got))
	for i := range x.D.X {
		code := make([]byte, 8)
		copy(code, got[i*size:][:size])
		v, err := x.Problem.Out.Decode(binary.LittleEndian.Uint64(code))
		check(t, err)
		x.D.X[i] = v
	}
	return x.Check()
}

// stored returns elements as memory has them.
func stored(t *testing.T, typ dtype.Type, v []float64) (out []byte) {
	for _, x := range v {
		code, err := typ.Encode(x)
		check(t, err)
		out = append(out, binary.LittleEndian.AppendUint64(nil, code)[:typ.Bits()/8]...)
	}
	return out
}
