// Package pipeline turns the events of a simulated run into a timeline: what each warp of a block waits for, when
// copies fill the stages of shared memory, and when the phases of mbarriers complete.
package pipeline
