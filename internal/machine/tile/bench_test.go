package tile_test

import (
	"testing"

	"girih/cute"
	"girih/internal/machine/tile"
	"girih/symbolic"
)

func BenchmarkPredicate(b *testing.B) {
	c := tiledCopy(b, "UniversalCopy<uint128_t>", "half_t", "(16,8):(8,1)", "(1,8)")
	var scope symbolic.Scope
	m, err := scope.Named("M", symbolic.NoFacts())
	if err != nil {
		b.Fatal(err)
	}
	extents := symbolic.Nest(symbolic.Number(symbolic.Of(m)), symbolic.Number(symbolic.Const(1000)))
	for b.Loop() {
		if _, err := tile.NewPredicate(tile.PartitionS(c), extents, cute.Ints(128, 64)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPredicateCode(b *testing.B) {
	p := rows()
	for b.Loop() {
		_ = p.CPP() + p.DSL()
	}
}

func BenchmarkAlignment(b *testing.B) {
	for b.Loop() {
		_ = row().Needs(128)
	}
}

func BenchmarkBudget(b *testing.B) {
	for b.Loop() {
		_ = gemm().Stages()
	}
}
