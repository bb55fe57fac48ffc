package service

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var updatePictures = flag.Bool("update-pictures", false, "rewrite the golden pictures")

// The test keeps small pictures as files, to show what a change does.
func TestGoldenPictures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file string
		req  DrawRequest
	}{
		{"layout.svg", DrawRequest{Expr: "((2,2),3):((3,12),1)"}},
		{"layout.tex", DrawRequest{Expr: "((2,2),3):((3,12),1)", Format: "tex"}},
		{"layout.txt", DrawRequest{Expr: "((2,2),3):((3,12),1)", Format: "txt"}},
		{"alias.svg", DrawRequest{Expr: "(3,3):(1,2)"}},
		{"panels.svg", DrawRequest{Expr: "(2,2,2):(4,2,1)", Theme: "dark"}},
		{"tv.svg", DrawRequest{Expr: "((2,2),2):((4,1),2)", Tile: "4,2"}},
		{"tv_classic.svg", DrawRequest{Expr: "((2,2),2):((4,1),2)", Tile: "4,2", Theme: "classic"}},
		{"composition.svg", DrawRequest{Expr: "(4,2):(2,1) o 4:2", As: "composition"}},
		{"refused.svg", DrawRequest{Expr: "(4,2):(2,1) o 6:1", As: "composition"}},
		{"divide.svg", DrawRequest{Expr: "zipped_divide((3,4):(4,1), <2,2>)", As: "divide"}},
		{"product.svg", DrawRequest{Expr: "blocked_product((2,2):(2,1), (2,2):(1,2))", As: "product"}},
		{"complement.svg", DrawRequest{Expr: "complement((2,2):(1,6), 24)", As: "complement"}},
		{"inverse.svg", DrawRequest{Expr: "right_inverse((2,3):(3,1))", As: "inverse"}},
		{"slice_classic.svg", DrawRequest{Expr: "(3,4):(4,1)(_,2)", As: "slice", Theme: "classic"}},
		{"outline.svg", DrawRequest{Expr: "(1048576,1048576):(1048576,1)"}},
	} {
		r := new(Session).Draw(c.req)
		if !r.OK {
			t.Errorf("%s: %+v", c.file, r.Error)
			continue
		}
		path := filepath.Join("testdata", "draw", c.file)
		if *updatePictures {
			if err := os.WriteFile(path, r.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(want) != r.Text {
			t.Errorf("%s differs from %s; look at it, and run go test ./internal/service -run Golden -update-pictures",
				c.req.Expr, path)
		}
	}
}

// Budgets: 20 ms for a thread-value map of 128 by 128 as SVG, 150 ms for 64 by 64 labelled cells as PNG.
func BenchmarkDraw(b *testing.B) {
	for _, c := range []struct {
		name string
		req  DrawRequest
	}{
		{"TV128/svg", DrawRequest{Expr: "((4,8,4),(2,2,16,2)):((256,1,16),(128,8,1024,64))", Tile: "128,128"}},
		{"TV128/vectors/svg", DrawRequest{Expr: "((16,8),(8,16)):((1024,1),(128,8))", Tile: "128,128"}},
		{"TV128/all/svg", DrawRequest{Expr: "((4,8,4),(2,2,16,2)):((256,1,16),(128,8,1024,64))", Tile: "128,128", MaxCells: 1 << 14}},
		{"64/png", DrawRequest{Expr: "(64,64):(64,1)", Format: "png"}},
		{"512x256/svg", DrawRequest{Expr: "(512,256):(256,1)"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				r := new(Session).Draw(c.req)
				if !r.OK {
					b.Fatal(r.Error)
				}
				n = len(r.Bytes())
			}
			b.ReportMetric(float64(n), "bytes")
		})
	}
}
