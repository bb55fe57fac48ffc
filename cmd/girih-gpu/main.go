// Command girih-gpu runs what girih computes on NVIDIA GPUs. It needs the driver of the card, and no CUDA toolkit.
package main

import (
	"context"
	"os"
	"os/signal"

	"girih/gpu"
	"girih/internal/card/command"
	"girih/internal/card/copies"
	"girih/internal/card/gemms"
	"girih/internal/card/proof"
)

// bench times copies or products.
var bench = command.Command{
	Name: copies.Bench.Name,
	Args: "(copy | gemm) [options]",
	Help: "time copies and matrix products against PyTorch, cuBLAS, torch.compile and CuPy",
	Run: func(ctx context.Context, c *command.Call) error {
		if len(c.Args) > 0 && c.Args[0] == "gemm" {
			return gemms.RunBench(ctx, c)
		}
		return copies.Bench.Run(ctx, c)
	},
	More: copies.Bench.More + gemms.BenchHelp,
}

// commands returns all commands, in the order of the help.
func commands() []command.Command {
	return []command.Command{
		devices, proof.Selftest, proof.Truth, proof.Descriptors, proof.Maps, proof.Memory, proof.Litmus,
		gemms.Command,
		copies.Copy, bench, licenses, about,
	}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process immediately
	code := command.Run(ctx, commands(), &command.Call{
		Args: os.Args[1:], Stdout: os.Stdout, Stderr: os.Stderr, Devices: gpu.Devices, Open: gpu.Open,
	})
	stop()
	os.Exit(code)
}
