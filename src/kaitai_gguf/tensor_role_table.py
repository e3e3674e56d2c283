"""The roles of tensors in llama.cpp as of gguf 0.19.0 (`TENSOR_NAMES`), with a description of each."""

from typing import Literal, get_args

__all__ = ["KINDS", "ROLES", "Kind"]

Kind = Literal[
    "embedding", "attention", "feed-forward", "experts", "recurrent", "convolution", "norm", "projector", "output",
    "other",
]  # fmt: skip
KINDS: tuple[Kind, ...] = get_args(Kind)

ROLES = """
# embedding
token_embd: token embeddings
token_types: embeddings of token types (segments)
position_embd v.position_embd a.position_embd: position embeddings
rope_freqs: frequency factors of rotary positions
rope_factors_long: rotary frequency factors for long contexts
rope_factors_short: rotary frequency factors for short contexts
per_layer_token_embd: token embeddings for each layer
per_layer_model_proj: projection of token embeddings to the inputs of each layer
blk.N.nextn.embed_tokens: token embeddings for multi-token prediction
v.class_embd: embedding of the class token
v.patch_embd v.sam.patch_embd: convolution that embeds image patches
v.sam.pos_embd: position embeddings of the SAM encoder
v.token_embd.img_break: embedding of the token that ends a row of an image
v.boi mm.image_begin: embedding of the token that begins an image
v.eoi mm.image_end: embedding of the token that ends an image
v.image_newline: embedding that ends a row of image patches
v.view_seperator: embedding between two views of an image
mm.embedding: embeddings of special vision tokens
mm.a.embedding: embeddings of special audio tokens
resampler.pos_embd_k: position embeddings of the resampler's keys
resampler.query: learned queries of the resampler
a.proj_query: learned queries of the audio projector

# attention
blk.N.attn_qkv v.blk.N.attn_qkv v.sam.blk.N.attn.qkv: query, key and value projections of self-attention, in one
blk.N.attn_q dec.blk.N.attn_q enc.blk.N.attn_q v.blk.N.attn_q a.blk.N.attn_q: query projection of self-attention
blk.N.attn_k dec.blk.N.attn_k enc.blk.N.attn_k v.blk.N.attn_k a.blk.N.attn_k: key projection of self-attention
blk.N.attn_v dec.blk.N.attn_v enc.blk.N.attn_v v.blk.N.attn_v a.blk.N.attn_v: value projection of self-attention
blk.N.attn_output dec.blk.N.attn_o enc.blk.N.attn_o v.blk.N.attn_out: output projection of self-attention
a.blk.N.attn_out v.sam.blk.N.attn.out: output projection of self-attention
posnet.N.attn_q a.proj_blk.N.self_attn_q: query projection of self-attention
posnet.N.attn_k a.proj_blk.N.self_attn_k: key projection of self-attention
posnet.N.attn_v a.proj_blk.N.self_attn_v: value projection of self-attention
posnet.N.attn_output a.proj_blk.N.self_attn_out: output projection of self-attention
dec.blk.N.cross_attn_q a.proj_blk.N.cross_attn_q: query projection of cross-attention
dec.blk.N.cross_attn_k a.proj_blk.N.cross_attn_k: key projection of cross-attention
dec.blk.N.cross_attn_v a.proj_blk.N.cross_attn_v: value projection of cross-attention
dec.blk.N.cross_attn_o a.proj_blk.N.cross_attn_out: output projection of cross-attention
dec.blk.N.attn_rel_b enc.blk.N.attn_rel_b: bias of self-attention by relative position
dec.blk.N.cross_attn_rel_b: bias of cross-attention by relative position
blk.N.attn_rot_embd: rotary frequencies of the layer
blk.N.attn_sinks: attention sinks, one for each head
blk.N.attn_gate: gate of the attention output
blk.N.attn_q_a: query projection to low rank
blk.N.attn_q_b: query projection from low rank
blk.N.attn_kv_a_mqa: key and value projection to low rank, with the rotary part of the key
blk.N.attn_kv_b: key and value projection from low rank
blk.N.attn_k_b: key projection from low rank
blk.N.attn_v_b: value projection from low rank
blk.N.indexer.proj: weights of the heads of the sparse attention indexer
blk.N.indexer.attn_k: key projection of the sparse attention indexer
blk.N.indexer.attn_q_b: query projection from low rank of the sparse attention indexer
blk.N.vis_attn_qkv: query, key and value projections for image tokens, in one
blk.N.vis_attn_output: output projection of self-attention for image tokens
v.sam.blk.N.attn.pos_h: relative position embeddings by height
v.sam.blk.N.attn.pos_w: relative position embeddings by width
a.blk.N.attn_k_rel: key projection of relative positions
a.blk.N.per_dim_scale: scale of each dimension of the queries
a.blk.N.per_dim_k_scale: scale of each dimension of the keys
a.blk.N.linear_pos: projection of relative positions
a.blk.N.pos_bias_u: bias of the queries against keys
a.blk.N.pos_bias_v: bias of the queries against relative positions
a.blk.N.attn_rel_pos_emb: embeddings of relative positions

# feed-forward
blk.N.ffn_gate dec.blk.N.ffn_gate enc.blk.N.ffn_gate: gate projection of the feed-forward network
v.blk.N.ffn_gate a.blk.N.ffn_gate: gate projection of the feed-forward network
blk.N.ffn_up dec.blk.N.ffn_up enc.blk.N.ffn_up v.blk.N.ffn_up a.blk.N.ffn_up: up projection of the feed-forward network
blk.N.ffn_down dec.blk.N.ffn_down enc.blk.N.ffn_down: down projection of the feed-forward network
v.blk.N.ffn_down a.blk.N.ffn_down: down projection of the feed-forward network
v.sam.blk.N.mlp.lin1 a.proj_blk.N.ffn_up: up projection of the feed-forward network
v.sam.blk.N.mlp.lin2 a.proj_blk.N.ffn_down: down projection of the feed-forward network
blk.N.ffn: activation of the feed-forward network
blk.N.vis_gate: gate projection for image tokens
blk.N.vis_up: up projection for image tokens
blk.N.vis_down: down projection for image tokens
blk.N.channel_mix_lerp_k: interpolation with the previous token, for the key of channel mixing
blk.N.channel_mix_lerp_r: interpolation with the previous token, for the receptance of channel mixing
blk.N.channel_mix_key: key projection of channel mixing
blk.N.channel_mix_receptance: receptance projection of channel mixing
blk.N.channel_mix_value: value projection of channel mixing
a.blk.N.ffn_scale: scale of the feed-forward output
a.blk.N.ffn_gate_1: gate projection of the second feed-forward network
a.blk.N.ffn_up_1: up projection of the second feed-forward network
a.blk.N.ffn_down_1: down projection of the second feed-forward network
a.blk.N.ffn_scale_1: scale of the second feed-forward output

# experts
blk.N.ffn_gate_inp: router that chooses the experts
blk.N.ffn_gate_inp_shexp: gate of the shared expert
blk.N.exp_probs_b: bias of the router's choice
blk.N.ffn_gate_exps: gate projections of the experts
blk.N.ffn_up_exps: up projections of the experts
blk.N.ffn_down_exps: down projections of the experts
blk.N.ffn_gate_up_exps: gate and up projections of the experts, in one
blk.N.ffn_gate_shexp: gate projection of the shared expert
blk.N.ffn_up_shexp: up projection of the shared expert
blk.N.ffn_down_shexp: down projection of the shared expert
blk.N.ffn_gate_chexps: gate projections of the chunk experts
blk.N.ffn_up_chexps: up projections of the chunk experts
blk.N.ffn_down_chexps: down projections of the chunk experts
blk.N.ffn_latent_down: projection to the smaller space of the experts
blk.N.ffn_latent_up: projection from the smaller space of the experts

# recurrent
blk.N.ssm_in: input projection of the state space model
blk.N.ssm_conv1d: convolution of the state space model
blk.N.ssm_conv1d_q: convolution of the queries
blk.N.ssm_conv1d_k: convolution of the keys
blk.N.ssm_conv1d_v: convolution of the values
blk.N.ssm_x: projection to time step, B and C of the state space model
blk.N.ssm_dt: time step of the state space model
blk.N.ssm_a: state transition A of the state space model
blk.N.ssm_d: skip connection D of the state space model
blk.N.ssm_out: output projection of the state space model
blk.N.ssm_alpha: decay projection of linear attention
blk.N.ssm_beta: update strength projection of linear attention
blk.N.ssm_ba: update strength and decay projections of linear attention, in one
blk.N.ssm_f_a: decay projection to low rank of linear attention
blk.N.ssm_f_b: decay projection from low rank of linear attention
blk.N.ssm_g_a: output gate projection to low rank of linear attention
blk.N.ssm_g_b: output gate projection from low rank of linear attention
blk.N.time_mix_w0: bias of the decay
blk.N.time_mix_w1 blk.N.time_mix_decay_w1: decay projection to low rank
blk.N.time_mix_w2 blk.N.time_mix_decay_w2: decay projection from low rank
blk.N.time_mix_a0: bias of the in-context learning rate
blk.N.time_mix_a1: projection to low rank of the in-context learning rate
blk.N.time_mix_a2: projection from low rank of the in-context learning rate
blk.N.time_mix_v0: bias of the mix with the values of the first layer
blk.N.time_mix_v1: projection to low rank of the mix with the values of the first layer
blk.N.time_mix_v2: projection from low rank of the mix with the values of the first layer
blk.N.time_mix_g1: gate projection to low rank
blk.N.time_mix_g2: gate projection from low rank
blk.N.time_mix_k_k: scale of the keys that are removed from the state
blk.N.time_mix_k_a: scale of the keys by the in-context learning rate
blk.N.time_mix_r_k: weight of the current token in the output
blk.N.time_mix_lerp_x: interpolation with the previous token
blk.N.time_mix_lerp_k: interpolation with the previous token, for the key
blk.N.time_mix_lerp_v: interpolation with the previous token, for the value
blk.N.time_mix_lerp_r: interpolation with the previous token, for the receptance
blk.N.time_mix_lerp_g: interpolation with the previous token, for the gate
blk.N.time_mix_lerp_w: interpolation with the previous token, for the decay
blk.N.time_mix_lerp_fused: interpolations with the previous token, in one
blk.N.time_mix_first: weight of the current token in the state
blk.N.time_mix_decay: decay of the state
blk.N.time_mix_key: key projection of time mixing
blk.N.time_mix_value: value projection of time mixing
blk.N.time_mix_receptance: receptance projection of time mixing
blk.N.time_mix_gate: gate projection of time mixing
blk.N.time_mix_output: output projection of time mixing
blk.N.shortconv.conv: short convolution
blk.N.shortconv.in_proj: input projection of the short convolution
blk.N.shortconv.out_proj: output projection of the short convolution

# convolution
conv1d: first convolution
convnext.N.dw: depthwise convolution
convnext.N.pw1: first pointwise convolution
convnext.N.pw2: second pointwise convolution
convnext.N.gamma: scale of the block's output
posnet.N.conv1: first convolution
posnet.N.conv2: second convolution
v.conv_stem.conv: first convolution
v.msfa.ffn.pw_exp.conv: pointwise convolution that expands the fused features
v.msfa.ffn.pw_proj.conv: pointwise convolution that projects the fused features
v.sam.neck.N: convolution or norm after the blocks of the SAM encoder
v.sam.net_2: first convolution that shrinks the output of the SAM encoder
v.sam.net_3: second convolution that shrinks the output of the SAM encoder
a.conv1d.N: convolution over time before the blocks
a.conv2d.N: convolution over time and frequency before the blocks
a.conv_out: projection after the convolutions
a.blk.N.conv_dw: depthwise convolution
a.blk.N.conv_pw1: first pointwise convolution
a.blk.N.conv_pw2: second pointwise convolution

# norm
token_embd_norm: norm of the token embeddings
output_norm dec.output_norm enc.output_norm v.post_ln a.post_ln: norm after the last block
blk.N.attn_norm dec.blk.N.attn_norm enc.blk.N.attn_norm posnet.N.attn_norm: norm before self-attention
v.blk.N.ln1 a.blk.N.ln1 v.sam.blk.N.pre_ln a.blk.N.attn_pre_norm: norm before self-attention
blk.N.attn_norm_2: second norm of the block
blk.N.attn_q_norm v.blk.N.attn_q_norm: norm of the queries
blk.N.attn_k_norm v.blk.N.attn_k_norm: norm of the keys
blk.N.attn_output_norm v.blk.N.attn_out_norm: norm of the attention output
blk.N.post_attention_norm v.blk.N.attn_post_norm a.blk.N.attn_post_norm: norm after self-attention
a.proj_blk.N.self_attn_norm: norm after self-attention
blk.N.attn_sub_norm: norm before the output projection of self-attention
blk.N.attn_q_a_norm: norm of the queries at low rank
blk.N.attn_kv_a_norm: norm of the keys and values at low rank
blk.N.indexer.k_norm: norm of the keys of the sparse attention indexer
dec.blk.N.cross_attn_norm: norm before cross-attention
a.proj_blk.N.cross_attn_norm: norm after cross-attention
blk.N.ffn_norm dec.blk.N.ffn_norm enc.blk.N.ffn_norm a.blk.N.ffn_norm: norm before the feed-forward network
v.blk.N.ln2 v.sam.blk.N.post_ln: norm before the feed-forward network
a.blk.N.ln2: norm before the feed-forward network, or at the end of the block
blk.N.post_ffw_norm v.blk.N.ffn_post_norm a.blk.N.ffn_post_norm: norm after the feed-forward network
a.proj_blk.N.ffn_norm: norm after the feed-forward network
blk.N.pre_ffw_norm_2: norm before the experts
blk.N.post_ffw_norm_1: norm after the feed-forward network that every token takes
blk.N.post_ffw_norm_2: norm after the experts
blk.N.ffn_norm_exps: norm before the experts
blk.N.ffn_sub_norm: norm before the down projection of the feed-forward network
a.blk.N.ffn_norm_1: norm before the second feed-forward network
a.blk.N.ffn_post_norm_1: norm after the second feed-forward network
blk.N.layer_output_norm a.blk.N.layer_pre_norm: norm of the block's output
blk.N.post_norm: norm of the projected inputs of the layer
per_layer_proj_norm: norm of the projected inputs of each layer
blk.N.altup_router_norm: norm before the router of alternating updates
blk.N.laurel_post_norm: norm of the low-rank residual
blk.N.ssm_norm: norm of the output of the state space model
blk.N.ssm_dt_norm: norm of the time step
blk.N.ssm_b_norm: norm of B of the state space model
blk.N.ssm_c_norm: norm of C of the state space model
blk.N.time_mix_ln: norm of the output of time mixing
blk.N.nextn.enorm: norm of the embeddings for multi-token prediction
blk.N.nextn.hnorm: norm of the hidden state for multi-token prediction
blk.N.nextn.shared_head_norm: norm before the output of multi-token prediction
cls.norm: norm of the classifier
convnext.N.norm: norm of the block
posnet.N.norm: norm after the blocks
posnet.N.norm1: norm before the first convolution
posnet.N.norm2: norm before the second convolution
v.norm_embd: norm of the patch embeddings
v.pre_ln a.pre_ln: norm before the first block
v.conv_stem.bn: norm after the first convolution
v.msfa.ffn.pw_exp.bn: norm after the convolution that expands the fused features
v.msfa.ffn.pw_proj.bn: norm after the convolution that projects the fused features
v.msfa.norm: norm of the fused features
v.deepstack.N.norm: norm of the features of a vision block
a.position_embd_norm: norm of the position embeddings
a.conv1d.N.norm: norm after a convolution
a.blk.N.conv_norm a.blk.N.norm_conv: norm of the convolution module
a.proj_norm: norm of the audio projector's queries
mm.post_norm: norm after the projector
mm.pre_norm mm.input_norm: norm before the projector
mm.soft_emb_norm: norm of the embeddings of images
mm.hard_emb_norm: norm of the embeddings of special vision tokens
mm.post_fc_norm: norm after the first layer of the projector
mm.a.norm_pre: norm before the audio projector
mm.a.norm_mid: norm between the layers of the audio projector
mm.a.soft_emb_norm: norm of the embeddings of audio
mm.a.hard_emb_norm: norm of the embeddings of special audio tokens
resampler.ln_kv: norm of the resampler's keys and values
resampler.ln_q: norm of the resampler's queries
resampler.ln_post: norm of the resampler's output

# projector
mm.N mm.model.mlp.N: layer of the projector
mm.model.fc: fully connected layer of the projector
mm.model.peg.N: convolution of the projector that encodes positions
mm.input_projection: projection of images to the embeddings of the text model
mm.patch_merger: projection that merges neighbouring patches
mm.up: up projection of the projector
mm.down: down projection of the projector
mm.gate: gate projection of the projector
mm.a.mlp.N: layer of the audio projector
mm.a.fc: fully connected layer of the audio projector
mm.a.input_projection: projection of audio to the embeddings of the text model
resampler.attn.q: query projection of the resampler
resampler.attn.k: key projection of the resampler
resampler.attn.v: value projection of the resampler
resampler.attn.out: output projection of the resampler's attention
resampler.kv: projection of images to the resampler's keys and values
resampler.proj: output projection of the resampler
v.deepstack.N.fc1: first layer of the projector of a vision block
v.deepstack.N.fc2: second layer of the projector of a vision block
a.proj_linear: output projection of the audio projector

# output
output: projection to the vocabulary
cls: dense layer of the classifier
cls.output: output projection of the classifier
dense_2: first dense layer after pooling
dense_3: second dense layer after pooling
blk.N.nextn.shared_head_head: projection to the vocabulary for multi-token prediction
a.embd_to_logits: projection of audio embeddings to the vocabulary
a.enc_ctc_out: output projection of the CTC head
a.enc_ctc_out_mid: projection of the CTC head's output back into the blocks

# other
altup_proj: projections to the copies of alternating updates
altup_unembd_proj: projections from the copies of alternating updates
blk.N.altup_correct_coef: coefficients that correct the copies of alternating updates
blk.N.altup_correct_scale: scale of the corrected copy of alternating updates
blk.N.altup_predict_coef: coefficients that predict the copies of alternating updates
blk.N.altup_router: router of alternating updates
blk.N.laurel_l: projection to low rank of the low-rank residual
blk.N.laurel_r: projection from low rank of the low-rank residual
blk.N.inp_gate: gate of the layer's own inputs
blk.N.proj: projection of the layer's own inputs
blk.N.layer_output_scale v.blk.N.out_scale: scale of the block's output
blk.N.nextn.eh_proj: projection of embedding and hidden state for multi-token prediction
v.blk.N.ls1: scale of the attention output
v.blk.N.ls2: scale of the feed-forward output
v.std_bias: mean of the vision embeddings
v.std_scale: scale of the vision embeddings
a.input_projection: projection after the convolutions
a.pre_encode.out: projection of the audio features, before or after the blocks
"""
"""One role per line: its names without suffixes, N for the block number, and a description. `#` starts a kind."""
