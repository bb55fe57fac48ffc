package cli

import (
	"bytes"
	"strings"
	"testing"

	"girih/internal/check/cmdline"
	"girih/internal/check/pty"
)

// TestStart checks that girih alone shows, at a terminal, three commands to try, and that these commands
// work.
func TestStart(t *testing.T) {
	t.Parallel()
	keys, end, err := pty.Open(100)
	if err != nil {
		t.Skipf("no pseudo terminals here: %v", err)
	}
	defer keys.Close()
	var errs bytes.Buffer
	if status := (App{}).Main(nil, end, end, &errs); status != 0 || errs.Len() > 0 {
		t.Errorf("girih = %d, %q", status, errs.String())
	}
	shown := make([]byte, 4096)
	n, err := keys.Read(shown)
	end.Close()
	if text := string(shown[:n]); err != nil || !strings.Contains(text, "Three things to try") {
		t.Errorf("%q, %v", text, err)
	}
	tried := 0
	for line := range strings.Lines(start) {
		args := cmdline.Split(strings.TrimSpace(line))
		if !strings.HasPrefix(line, "  girih ") || strings.Contains(line, "   ") && !strings.Contains(line, "--type") {
			continue
		}
		if tried++; len(args) > 1 && args[0] == "girih" {
			var out bytes.Buffer
			if status := (App{}).Main(args[1:], nil, &out, &errs); status != 0 || out.Len() == 0 || errs.Len() > 0 {
				t.Errorf("%s: exit status %d, %q", line, status, errs.String())
			}
		}
	}
	if tried != 3 {
		t.Errorf("%d commands are tried, want 3", tried)
	}
}
