package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"girih/gpu"
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
		{"truth --card 1", none, 2, nil, []string{"not defined: -card"}},
		{"truth --print", none, 2, nil, []string{"the name of an atom"}},
		{"truth --print SM75_U32x4_LDSM_N", none, 0, []string{"ldmatrix.sync.aligned.m8n8.x4.shared.b16"}, nil},
		{"truth --print SM90_64x8x16_F32F16F16_RS", none, 0, []string{".target sm_90a", "wgmma.mma_async"}, nil},
		{"truth --print SM75_U32x4_LDSMN", none, 1, nil, []string{"error: name: ", "hint: did you mean SM75_U32x4_LDSM_N"}},
		{"truth --print SM90_TMA_LOAD<128>", none, 1, nil, []string{"error: type: ", "no table of threads"}},
		{"selftest", none, 1, nil, []string{"error: no_driver: no CUDA driver: gone\nhint: install it\n"}},
		{"selftest 3", none, 2, nil, []string{`unknown argument "3"`}},
		{"truth --help", none, 0, []string{"girih-gpu truth [NAME...]"}, nil},
		{"help x", none, 2, nil, []string{`unknown command "x"`}},
		{"fly", none, 2, nil, []string{`unknown command "fly"`}},
		{"", none, 2, nil, []string{"no command"}},
	} {
		var stdout, stderr bytes.Buffer
		open := func(int) (*gpu.Device, error) { // the errors of opening are those of listing
			_, err := tt.devices()
			return nil, err
		}
		c := &call{strings.Fields(tt.args), &stdout, &stderr, tt.devices, open}
		if code := run(t.Context(), c); code != tt.code {
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
