package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"girih/gpu"
	"girih/internal/card/command"
	"girih/internal/version"
)

func TestRun(t *testing.T) {
	t.Parallel()
	card := func() ([]gpu.Info, error) {
		return []gpu.Info{
			{
				Name: "NVIDIA H200", Chip: "sm_90", CUDA: "13.0", Driver: "580.159.04", Memory: 150109880320, SMs: 132, L2: 60 << 20,
				MaxSMMHz: 1980, MaxMemoryMHz: 3201, State: gpu.State{SMMHz: 345, MemoryMHz: 3201},
			},
			{Index: 1, Name: "a\x1b[31mcard", Chip: "sm_75", CUDA: "13.0", Memory: 16 << 30, SMs: 40, L2: 4 << 20},
		}, nil
	}
	none := func() ([]gpu.Info, error) {
		return nil, &gpu.Error{Code: gpu.NoDriver, Message: "no CUDA driver: gone", Hint: "install it"}
	}
	broken := func() ([]gpu.Info, error) { return nil, errors.New("broken") }
	for _, tt := range []struct {
		args           string
		devices        func() ([]gpu.Info, error)
		code           int
		stdout, stderr []string
	}{
		{"devices", card, 0, []string{
			"#  name ", "0  NVIDIA H200 ", "  sm_90  139.8 GiB  60 MiB  132  345 of 1980 MHz  3201 of 3201 MHz  580.159.04  13.0\n",
			"  sm_75  16.0 GiB   4 MiB   40   -                -                 -           13.0\n",
		}, nil},
		{"devices --json", card, 0, []string{`"Chip":"sm_90"`, `"Memory":150109880320`}, nil},
		{"devices", none, 1, nil, []string{"error: no_driver: no CUDA driver: gone\nhint: install it\n"}},
		{"devices", broken, 1, nil, []string{"error: broken\n"}},
		{"devices 3", card, 2, nil, []string{`unknown argument "3"`}},
		{"help", none, 0, []string{"girih-gpu devices"}, nil},
		{"devices --fast", card, 2, nil, []string{"not defined: -fast"}},
		{"truth", none, 1, nil, []string{"error: no_driver: no CUDA driver: gone\nhint: install it\n"}},
		{"truth --json SM80_16x8x16_F32F16F16F32_TN", none, 1, nil, []string{"error: no_driver"}},
		{"truth --print SM80_*_NONE", none, 2, nil, []string{"no instruction has a name like \"SM80_*_NONE\""}},
		{"truth --card 1", none, 2, nil, []string{"not defined: -card"}},
		{"truth --print", none, 2, nil, []string{"the name of an atom"}},
		{"truth NOPE", none, 1, nil, []string{"error: name: ", `called "NOPE"`}}, // the error comes before the card is opened
		{"truth NOPE*", none, 2, nil, []string{`no instruction has a name like "NOPE*"`}},
		{"truth --print --json SM75_U32x4_LDSM_N", none, 2, nil, []string{"--print writes PTX"}},
		{"truth --print UniversalF* SM90_TMA_LOAD<128>", none, 0, []string{"fma.rn.f32"}, []string{"is left out: type: "}},
		{"truth --print SM75_U32x4_LDSM_N", none, 0, []string{"ldmatrix.sync.aligned.m8n8.x4.shared.b16"}, nil},
		{"truth --print SM90_64x8x16_F32F16F16_RS", none, 0, []string{".target sm_90a", "wgmma.mma_async"}, nil},
		{"truth --print SM75_U32x4_LDSMN", none, 1, nil, []string{"error: name: ", "hint: did you mean SM75_U32x4_LDSM_N"}},
		{"truth --print SM90_TMA_LOAD<128>", none, 1, nil, []string{"error: type: ", "no table of threads"}},
		{"selftest", none, 1, nil, []string{"error: no_driver: no CUDA driver: gone\nhint: install it\n"}},
		{"selftest 3", none, 2, nil, []string{`unknown argument "3"`}},
		{"truth --help", none, 0, []string{"girih-gpu truth [NAME...]"}, nil},
		{"version", none, 0, []string{"girih-gpu " + version.Number, "/"}, nil},
		{"--version", none, 0, []string{"girih-gpu " + version.Number}, nil},
		{"version --json", none, 0, []string{`"version":"` + version.Number}, nil},
		{"version 2", none, 2, nil, []string{`unknown argument "2"`}},
		{"licenses", none, 0, []string{"ebitengine/purego", "Apache License"}, nil},
		{"licenses --all", none, 2, nil, []string{"not defined: -all"}},
		{"help help", none, 0, []string{"girih-gpu devices"}, nil},
		{"--help --help", none, 0, []string{"girih-gpu devices"}, nil},
		{"help x", none, 2, nil, []string{`unknown command "x"`}},
		{"fly", none, 2, nil, []string{`unknown command "fly"`}},
		{"", none, 2, nil, []string{"no command"}},
	} {
		var stdout, stderr bytes.Buffer
		open := func(int) (*gpu.Device, error) { // opening a device returns the errors of listing
			_, err := tt.devices()
			return nil, err
		}
		c := &command.Call{Args: strings.Fields(tt.args), Stdout: &stdout, Stderr: &stderr, Devices: tt.devices, Open: open}
		if code := command.Run(t.Context(), commands(), c); code != tt.code {
			t.Errorf("%q: exit code %d, want %d", tt.args, code, tt.code)
		}
		for _, s := range []struct {
			got  string
			want []string
		}{{stdout.String(), tt.stdout}, {stderr.String(), tt.stderr}} {
			if len(s.want) == 0 && s.got != "" {
				t.Errorf("%q printed %q", tt.args, s.got)
			}
			for _, w := range s.want {
				if !strings.Contains(s.got, w) {
					t.Errorf("%q printed %q, without %q", tt.args, s.got, w)
				}
			}
			if strings.Contains(s.got, "\x1b") {
				t.Errorf("%q printed a control character: %q", tt.args, s.got)
			}
		}
	}
}

// An atom that is named twice is printed once, and a file receives the same output as the terminal.
func TestTruthPrints(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "k.ptx")
	var stdout, stderr bytes.Buffer
	args := strings.Fields("truth --print SM75_U32x4_LDSM_N SM75_U32x4_LDSM* SM80_16x8x16_F32F16F16F32_TN -o " + name)
	c := &command.Call{Args: args, Stdout: &stdout, Stderr: &stderr}
	if code := command.Run(t.Context(), commands(), c); code != 0 || stdout.Len() > 0 {
		t.Fatalf("exit code %d: %s%s", code, &stdout, &stderr)
	}
	b, err := os.ReadFile(name)
	if err != nil || strings.Count(string(b), ".version") != 2 {
		t.Errorf("%v: %s", err, b)
	}
}

// A broken writer takes some bytes, and then none.
type broken struct{ room int }

func (w *broken) Write(p []byte) (int, error) {
	if w.room -= len(p); w.room < 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

// Writing only the first line of a table is a failure.
func TestOutputThatBreaks(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"devices", "help", "gemm --help", "truth --print SM75_U32x4_LDSM_N"} {
		var stderr bytes.Buffer
		devices := func() ([]gpu.Info, error) { return make([]gpu.Info, 100), nil }
		c := &command.Call{Args: strings.Fields(args), Stdout: &broken{100}, Stderr: &stderr, Devices: devices}
		code := command.Run(t.Context(), commands(), c)
		if code != command.ExitFailed || !strings.Contains(stderr.String(), "error: no space left\n") {
			t.Errorf("%s: exit code %d, %q", args, code, &stderr)
		}
	}
}

// An interrupt ends with the code that shells give for it.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	open := func(int) (*gpu.Device, error) {
		stop()
		return nil, &gpu.Error{Code: gpu.Left, Message: "the work is not done", Hint: "wait"}
	}
	var stdout, stderr bytes.Buffer
	c := &command.Call{Args: []string{"selftest"}, Stdout: &stdout, Stderr: &stderr, Open: open}
	code := command.Run(ctx, commands(), c)
	if code != command.ExitInterrupted || !strings.Contains(stderr.String(), "error: left: ") {
		t.Errorf("exit code %d: %q", code, &stderr)
	}
	c = &command.Call{Args: []string{"truth", "--print", "SM75_U32x4_LDSM_N"}, Stdout: &stdout, Stderr: &stderr}
	if code := command.Run(ctx, commands(), c); code != command.ExitInterrupted || stdout.Len() > 0 {
		t.Errorf("--print: exit code %d: %q", code, &stdout)
	}
}
