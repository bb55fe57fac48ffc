package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestSite writes the site of the repository's documents, and follows each relative link of its pages.
func TestSite(t *testing.T) {
	t.Parallel()
	static, to := t.TempDir(), filepath.Join(t.TempDir(), "site")
	index := `<html><head><meta name="girih-public" content="https://example.org/girih"></head><body><a href="licenses.txt">licences</a></body></html>`
	for name, text := range map[string]string{"index.html": index, "licenses.txt": "x", "girih.sha256": "x"} {
		if err := os.WriteFile(filepath.Join(static, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root := filepath.Join("..", "..", "..")
	if err := writeSite(root, static, to); err != nil {
		t.Fatal(err)
	}
	if err := writeSite(root, static, to); err == nil {
		t.Error("a folder that is there is written over")
	}
	attribute := regexp.MustCompile(`(?:href|src|srcset)="([^"#:]+)(?:#[^"]*)?"`)
	pages, links := 0, 0
	err := filepath.WalkDir(to, func(name string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".html" {
			return err
		}
		pages++
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, m := range attribute.FindAllStringSubmatch(string(text), -1) {
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(name), filepath.FromSlash(m[1]))); err != nil {
				t.Errorf("%s: there is no %s", strings.TrimPrefix(name, to), m[1])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages < 20 || links < 400 {
		t.Errorf("%d pages with %d links", pages, links)
	}
	text, err := os.ReadFile(filepath.Join(to, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`girih-early" content="([^"]+)"`).FindSubmatch(text)
	if m == nil {
		t.Fatal("the explorer does not know the pictures of its links")
	}
	names := strings.Fields(string(m[1]))
	for _, name := range names {
		f, err := os.Open(filepath.Join(to, "early", name+".svg.gz"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		if svg, err := io.ReadAll(r); err != nil || !strings.HasPrefix(string(svg), "<svg") {
			t.Errorf("%s: %.20q, %v", name, svg, err)
		}
		f.Close()
	}
	if mma := nameOf(fragment(map[string]string{"e": `mma("SM80_16x8x16_F32F16F16F32_TN")`})); !slices.Contains(names, mma) {
		t.Errorf("the example of an MMA has no picture %s", mma)
	}
	for page, want := range map[string]string{
		"divide_zipped": `property="og:title" content="zipped_divide by a tiler · girih"`,
		"lesson_layout": `property="og:description" content="What a layout is: a function from coordinates to offsets."`,
	} {
		text, err := os.ReadFile(filepath.Join(to, "see", page+".html"))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, there is no %s", page, err, want)
		}
		picture := `property="og:image" content="https://example.org/girih/see/` + page + `.png"`
		if !strings.Contains(string(text), picture) {
			t.Errorf("%s has no %s", page, picture)
		}
		if png, err := os.ReadFile(filepath.Join(to, "see", page+".png")); err != nil || !strings.HasPrefix(string(png), "\x89PNG") {
			t.Errorf("%s: %.10q, %v", page, png, err)
		}
	}
	if pages, err := filepath.Glob(filepath.Join(to, "see", "*.png")); err != nil || len(pages) < 100 {
		t.Errorf("%d pictures have pages", len(pages))
	}
	if len(names) < 100 {
		t.Errorf("%d links have pictures", len(names))
	}
}

// A state is written as the explorer writes it, so that the names of pictures agree.
func TestFragment(t *testing.T) {
	t.Parallel()
	got := fragment(map[string]string{"p": "lessons", "e": "Sw<3,3,3> o 0 o (8,64):(64,1)"})
	if want := "#e=Sw%3C3,3,3%3E+o+0+o+(8,64):(64,1)&p=lessons"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := nameOf("#e=8:1"); got != "e4ed4d6d" {
		t.Errorf("the name is %s", got)
	}
}
