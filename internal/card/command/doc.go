// Package command is what the commands of girih-gpu share: how a command is found and its help printed, how its
// arguments are read, and which exit code an error becomes.
//
// A command is a [Command] in the package that does its work; cmd/girih-gpu lists all of them and calls [Run]:
//
//	code := command.Run(ctx, commands(), &command.Call{Args: os.Args[1:], Stdout: os.Stdout, Stderr: os.Stderr, ...})
package command
