package terminal_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"girih/internal/terminal"
)

func ExampleClean() {
	fmt.Println(terminal.Clean("f.cu(3): \x1b]52;c;ZXZpbA==\x07 ∘ \u202eevil"))
	// Output: f.cu(3): \u001b]52;c;ZXZpbA==\u0007 ∘ \u202eevil
}

var texts = map[string]string{
	"":                            "",
	"plain (4,2):(1,4)\n\tü∘€😀 x": "plain (4,2):(1,4)\n\tü∘€😀 x",
	"\x1b[31m\x07\x00\x7f\r\b":    `\u001b[31m\u0007\u0000\u007f\u000d\u0008`,
	"a\u0085b\u009bc\u00a0":       "a\\u0085b\\u009bc\u00a0",
	"\x9b31m \xff":                "\ufffd31m \ufffd",
	"\u202a\u202e\u2066\u2069x":   `\u202a\u202e\u2066\u2069x`,
	"\u200e\u200f\u061c\u2028":    `\u200e\u200f\u061c\u2028`,
	"cut \xe2\x88":                "cut \ufffd\ufffd",
	"\xf0\x9f\x98 and \xc2":       "\ufffd\ufffd\ufffd and \ufffd",
	strings.Repeat("\u009b", 100): strings.Repeat(`\u009b`, 100),
}

// The output is the same for any division of the text into pieces.
func TestWriter(t *testing.T) {
	t.Parallel()
	for text, want := range texts {
		if got := terminal.Clean(text); got != want {
			t.Errorf("Clean(%q) = %q, want %q", text, got, want)
		}
		for size := 1; size <= len(text); size++ {
			var out bytes.Buffer
			w := terminal.NewWriter(&out)
			for rest := []byte(text); len(rest) > 0; rest = rest[min(size, len(rest)):] {
				piece := rest[:min(size, len(rest))]
				if n, err := w.Write(piece); n != len(piece) || err != nil {
					t.Fatalf("Write(%q) = %d, %v", piece, n, err)
				}
			}
			if err := w.Close(); err != nil || out.String() != want {
				t.Errorf("%q in pieces of %d: %q, %v, want %q", text, size, out.String(), err, want)
			}
		}
	}
}

// JSON stays JSON with the same text.
func TestWriterKeepsJSON(t *testing.T) {
	t.Parallel()
	for text := range texts {
		line, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var want, got string
		if err := json.Unmarshal(line, &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(terminal.Clean(string(line))), &got); err != nil || got != want {
			t.Errorf("%q is read back as %q, %v", text, got, err)
		}
	}
}

func TestRaw(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := terminal.NewWriter(&out)
	fmt.Fprint(w, "\xe2")
	if err := w.Paint("2", "note: \x1b[0m∘"); err != nil {
		t.Fatal(err)
	}
	if want := "\ufffd\x1b[2mnote: \\u001b[0m∘\x1b[0m"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("full")
	}
	return len(p), nil
}

func TestFirstErrorIsKept(t *testing.T) {
	t.Parallel()
	w := terminal.NewWriter(&full{3})
	fmt.Fprint(w, "four")
	fmt.Fprint(w, "1")
	if err := w.Close(); err == nil || err.Error() != "full" {
		t.Errorf("%v, want that it is full", err)
	}
}

func TestIs(t *testing.T) {
	t.Parallel()
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, f := range []any{null, file, terminal.NewWriter(file), strings.NewReader(""), nil} {
		if terminal.Is(f) {
			t.Errorf("%v is no terminal", f)
		}
	}
	if f, ok := terminal.File(terminal.NewWriter(file)); !ok || f != file {
		t.Errorf("File = %v, %v", f, ok)
	}
}
