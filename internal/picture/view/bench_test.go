package view_test

import (
	"testing"

	"girih/cute"
	"girih/internal/picture/view"
)

// The scene of a thread-value map of 128 by 128. internal/service has the budget of the whole picture.
func BenchmarkTV128(b *testing.B) {
	for _, c := range []struct{ name, tv string }{
		{"vectors", "((16,8),(8,16)):((1024,1),(128,8))"},
		{"elements", "((32,4),(32,4)):((4,4096),(1,128))"},
		{"scattered", "((4,8,4),(2,2,16,2)):((256,1,16),(128,8,1024,64))"},
	} {
		tv, tile := cute.MustParse(c.tv), cute.Ints(128, 128)
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				_, err := view.TV(tv, tile, view.Options{})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name+"/labelled", func(b *testing.B) {
			for b.Loop() {
				_, err := view.TV(tv, tile, view.Options{MaxCells: 1 << 14})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The picture of 10^5 cells.
func BenchmarkLayout(b *testing.B) {
	for _, text := range []string{"(64,64):(64,1)", "(256,512):(512,1)"} {
		l := cute.MustParse(text)
		b.Run(text, func(b *testing.B) {
			for b.Loop() {
				_, err := view.Layout(l, view.Options{})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
