package copies

import (
	"context"
	_ "embed" // embeds the script

	"girih/internal/card/peers"
)

//go:embed peers.py
var peersScript string

// copyPeers times other libraries, in the same rounds as girih's kernel.
type copyPeers struct{ *peers.Python }

// startPeers starts the Python.
func startPeers(ctx context.Context, python string) (*copyPeers, error) {
	p, err := peers.Start(ctx, python, "PyTorch and CuPy", peersScript)
	return &copyPeers{p}, err
}

// prepare makes the tensors of a case in the process.
func (p *copyPeers) prepare(c *copyCase) error {
	var none any
	return p.Ask(map[string]any{"do": "case", "shape": c.Shape, "perm": c.Perm, "step": c.Step, "bytes": c.Bytes}, &none)
}

// round measures each library once.
func (p *copyPeers) round() error {
	var none any
	return p.Ask(map[string]any{"do": "round"}, &none)
}

// medians returns the medians of the last rounds.
func (p *copyPeers) medians(last int) []copyPeer {
	var out []copyPeer
	if err := p.Ask(map[string]any{"do": "end", "last": last}, &out); err != nil {
		return []copyPeer{{Name: "Python", Error: err.Error()}}
	}
	return out
}
