# This is a generated file! Please edit source .ksy file and use kaitai-struct-compiler to rebuild

use strict;
use warnings;
use IO::KaitaiStruct 0.011_000;

########################################################################
package GgmlBlock;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root || $self;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

}

########################################################################
package GgmlBlock::Bf16;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_u2le();
}

sub value {
    my ($self) = @_;
    return $self->{value};
}

########################################################################
package GgmlBlock::F16;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_u2le();
}

sub value {
    my ($self) = @_;
    return $self->{value};
}

########################################################################
package GgmlBlock::F32;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_f4le();
}

sub value {
    my ($self) = @_;
    return $self->{value};
}

########################################################################
package GgmlBlock::F64;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_f8le();
}

sub value {
    my ($self) = @_;
    return $self->{value};
}

########################################################################
package GgmlBlock::I16;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_s2le();
}

sub value {
    my ($self) = @_;
    return $self->{value};
}

########################################################################
package GgmlBlock::I32;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_s4le();
}

sub value {
    my ($self) = @_;
    return $self->{value};
}

########################################################################
package GgmlBlock::I64;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_s8le();
}

sub value {
    my ($self) = @_;
    return $self->{value};
}

########################################################################
package GgmlBlock::I8;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{value} = $self->{_io}->read_s1();
}

sub value {
    my ($self) = @_;
    return $self->{value};
}

########################################################################
package GgmlBlock::Iq1M;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{qs} = [];
    my $n_qs = 32;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u1();
    }
    $self->{qh} = [];
    my $n_qh = 16;
    for (my $i = 0; $i < $n_qh; $i++) {
        push @{$self->{qh}}, $self->{_io}->read_u1();
    }
    $self->{scales} = [];
    my $n_scales = 8;
    for (my $i = 0; $i < $n_scales; $i++) {
        push @{$self->{scales}}, $self->{_io}->read_u1();
    }
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

sub qh {
    my ($self) = @_;
    return $self->{qh};
}

sub scales {
    my ($self) = @_;
    return $self->{scales};
}

########################################################################
package GgmlBlock::Iq1S;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{d} = $self->{_io}->read_u2le();
    $self->{qs} = [];
    my $n_qs = 32;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u1();
    }
    $self->{qh} = [];
    my $n_qh = 8;
    for (my $i = 0; $i < $n_qh; $i++) {
        push @{$self->{qh}}, $self->{_io}->read_u2le();
    }
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

sub qh {
    my ($self) = @_;
    return $self->{qh};
}

########################################################################
package GgmlBlock::Iq2S;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{d} = $self->{_io}->read_u2le();
    $self->{qs} = [];
    my $n_qs = 64;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u1();
    }
    $self->{qh} = [];
    my $n_qh = 8;
    for (my $i = 0; $i < $n_qh; $i++) {
        push @{$self->{qh}}, $self->{_io}->read_u1();
    }
    $self->{scales} = [];
    my $n_scales = 8;
    for (my $i = 0; $i < $n_scales; $i++) {
        push @{$self->{scales}}, $self->{_io}->read_u1();
    }
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

sub qh {
    my ($self) = @_;
    return $self->{qh};
}

sub scales {
    my ($self) = @_;
    return $self->{scales};
}

########################################################################
package GgmlBlock::Iq2Xs;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{d} = $self->{_io}->read_u2le();
    $self->{qs} = [];
    my $n_qs = 32;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u2le();
    }
    $self->{scales} = [];
    my $n_scales = 8;
    for (my $i = 0; $i < $n_scales; $i++) {
        push @{$self->{scales}}, $self->{_io}->read_u1();
    }
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

sub scales {
    my ($self) = @_;
    return $self->{scales};
}

########################################################################
package GgmlBlock::Iq2Xxs;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{d} = $self->{_io}->read_u2le();
    $self->{qs} = [];
    my $n_qs = 32;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u2le();
    }
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

########################################################################
package GgmlBlock::Iq3S;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{d} = $self->{_io}->read_u2le();
    $self->{qs} = [];
    my $n_qs = 64;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u1();
    }
    $self->{qh} = [];
    my $n_qh = 8;
    for (my $i = 0; $i < $n_qh; $i++) {
        push @{$self->{qh}}, $self->{_io}->read_u1();
    }
    $self->{signs} = [];
    my $n_signs = 32;
    for (my $i = 0; $i < $n_signs; $i++) {
        push @{$self->{signs}}, $self->{_io}->read_u1();
    }
    $self->{scales} = [];
    my $n_scales = 4;
    for (my $i = 0; $i < $n_scales; $i++) {
        push @{$self->{scales}}, $self->{_io}->read_u1();
    }
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

sub qh {
    my ($self) = @_;
    return $self->{qh};
}

sub signs {
    my ($self) = @_;
    return $self->{signs};
}

sub scales {
    my ($self) = @_;
    return $self->{scales};
}

########################################################################
package GgmlBlock::Iq3Xxs;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{d} = $self->{_io}->read_u2le();
    $self->{qs} = [];
    my $n_qs = 96;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u1();
    }
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

########################################################################
package GgmlBlock::Iq4Nl;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{d} = $self->{_io}->read_u2le();
    $self->{qs} = [];
    my $n_qs = 16;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u1();
    }
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

########################################################################
package GgmlBlock::Iq4Xs;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{d} = $self->{_io}->read_u2le();
    $self->{scales_h} = $self->{_io}->read_u2le();
    $self->{scales_l} = [];
    my $n_scales_l = 4;
    for (my $i = 0; $i < $n_scales_l; $i++) {
        push @{$self->{scales_l}}, $self->{_io}->read_u1();
    }
    $self->{qs} = [];
    my $n_qs = 128;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u1();
    }
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

sub scales_h {
    my ($self) = @_;
    return $self->{scales_h};
}

sub scales_l {
    my ($self) = @_;
    return $self->{scales_l};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

########################################################################
package GgmlBlock::Mxfp4;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{e} = $self->{_io}->read_u1();
    $self->{qs} = [];
    my $n_qs = 16;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u1();
    }
}

sub e {
    my ($self) = @_;
    return $self->{e};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

########################################################################
package GgmlBlock::Nvfp4;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{d} = [];
    my $n_d = 4;
    for (my $i = 0; $i < $n_d; $i++) {
        push @{$self->{d}}, $self->{_io}->read_u1();
    }
    $self->{qs} = [];
    my $n_qs = 32;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u1();
    }
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

########################################################################
package GgmlBlock::Q10;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{d} = $self->{_io}->read_u2le();
    $self->{qs} = [];
    my $n_qs = 16;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u1();
    }
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

########################################################################
package GgmlBlock::Q20;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{d} = $self->{_io}->read_u2le();
    $self->{qs} = [];
    my $n_qs = 16;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u1();
    }
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

########################################################################
package GgmlBlock::Q2K;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{scales} = [];
    my $n_scales = 16;
    for (my $i = 0; $i < $n_scales; $i++) {
        push @{$self->{scales}}, $self->{_io}->read_u1();
    }
    $self->{qs} = [];
    my $n_qs = 64;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u1();
    }
    $self->{d} = $self->{_io}->read_u2le();
    $self->{dmin} = $self->{_io}->read_u2le();
}

sub scales {
    my ($self) = @_;
    return $self->{scales};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

sub dmin {
    my ($self) = @_;
    return $self->{dmin};
}

########################################################################
package GgmlBlock::Q3K;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{hmask} = [];
    my $n_hmask = 32;
    for (my $i = 0; $i < $n_hmask; $i++) {
        push @{$self->{hmask}}, $self->{_io}->read_u1();
    }
    $self->{qs} = [];
    my $n_qs = 64;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u1();
    }
    $self->{scales} = [];
    my $n_scales = 12;
    for (my $i = 0; $i < $n_scales; $i++) {
        push @{$self->{scales}}, $self->{_io}->read_u1();
    }
    $self->{d} = $self->{_io}->read_u2le();
}

sub hmask {
    my ($self) = @_;
    return $self->{hmask};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

sub scales {
    my ($self) = @_;
    return $self->{scales};
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

########################################################################
package GgmlBlock::Q40;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{d} = $self->{_io}->read_u2le();
    $self->{qs} = [];
    my $n_qs = 16;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u1();
    }
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

########################################################################
package GgmlBlock::Q41;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{d} = $self->{_io}->read_u2le();
    $self->{m} = $self->{_io}->read_u2le();
    $self->{qs} = [];
    my $n_qs = 16;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u1();
    }
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

sub m {
    my ($self) = @_;
    return $self->{m};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

########################################################################
package GgmlBlock::Q4K;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{d} = $self->{_io}->read_u2le();
    $self->{dmin} = $self->{_io}->read_u2le();
    $self->{scales} = [];
    my $n_scales = 12;
    for (my $i = 0; $i < $n_scales; $i++) {
        push @{$self->{scales}}, $self->{_io}->read_u1();
    }
    $self->{qs} = [];
    my $n_qs = 128;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u1();
    }
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

sub dmin {
    my ($self) = @_;
    return $self->{dmin};
}

sub scales {
    my ($self) = @_;
    return $self->{scales};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

########################################################################
package GgmlBlock::Q50;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{d} = $self->{_io}->read_u2le();
    $self->{qh} = [];
    my $n_qh = 4;
    for (my $i = 0; $i < $n_qh; $i++) {
        push @{$self->{qh}}, $self->{_io}->read_u1();
    }
    $self->{qs} = [];
    my $n_qs = 16;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u1();
    }
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

sub qh {
    my ($self) = @_;
    return $self->{qh};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

########################################################################
package GgmlBlock::Q51;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{d} = $self->{_io}->read_u2le();
    $self->{m} = $self->{_io}->read_u2le();
    $self->{qh} = [];
    my $n_qh = 4;
    for (my $i = 0; $i < $n_qh; $i++) {
        push @{$self->{qh}}, $self->{_io}->read_u1();
    }
    $self->{qs} = [];
    my $n_qs = 16;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u1();
    }
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

sub m {
    my ($self) = @_;
    return $self->{m};
}

sub qh {
    my ($self) = @_;
    return $self->{qh};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

########################################################################
package GgmlBlock::Q5K;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{d} = $self->{_io}->read_u2le();
    $self->{dmin} = $self->{_io}->read_u2le();
    $self->{scales} = [];
    my $n_scales = 12;
    for (my $i = 0; $i < $n_scales; $i++) {
        push @{$self->{scales}}, $self->{_io}->read_u1();
    }
    $self->{qh} = [];
    my $n_qh = 32;
    for (my $i = 0; $i < $n_qh; $i++) {
        push @{$self->{qh}}, $self->{_io}->read_u1();
    }
    $self->{qs} = [];
    my $n_qs = 128;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u1();
    }
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

sub dmin {
    my ($self) = @_;
    return $self->{dmin};
}

sub scales {
    my ($self) = @_;
    return $self->{scales};
}

sub qh {
    my ($self) = @_;
    return $self->{qh};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

########################################################################
package GgmlBlock::Q6K;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{ql} = [];
    my $n_ql = 128;
    for (my $i = 0; $i < $n_ql; $i++) {
        push @{$self->{ql}}, $self->{_io}->read_u1();
    }
    $self->{qh} = [];
    my $n_qh = 64;
    for (my $i = 0; $i < $n_qh; $i++) {
        push @{$self->{qh}}, $self->{_io}->read_u1();
    }
    $self->{scales} = [];
    my $n_scales = 16;
    for (my $i = 0; $i < $n_scales; $i++) {
        push @{$self->{scales}}, $self->{_io}->read_s1();
    }
    $self->{d} = $self->{_io}->read_u2le();
}

sub ql {
    my ($self) = @_;
    return $self->{ql};
}

sub qh {
    my ($self) = @_;
    return $self->{qh};
}

sub scales {
    my ($self) = @_;
    return $self->{scales};
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

########################################################################
package GgmlBlock::Q80;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{d} = $self->{_io}->read_u2le();
    $self->{qs} = [];
    my $n_qs = 32;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_s1();
    }
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

########################################################################
package GgmlBlock::Q81;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{d} = $self->{_io}->read_u2le();
    $self->{s} = $self->{_io}->read_u2le();
    $self->{qs} = [];
    my $n_qs = 32;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_s1();
    }
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

sub s {
    my ($self) = @_;
    return $self->{s};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

########################################################################
package GgmlBlock::Q8K;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{d} = $self->{_io}->read_f4le();
    $self->{qs} = [];
    my $n_qs = 256;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_s1();
    }
    $self->{bsums} = [];
    my $n_bsums = 16;
    for (my $i = 0; $i < $n_bsums; $i++) {
        push @{$self->{bsums}}, $self->{_io}->read_s2le();
    }
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

sub bsums {
    my ($self) = @_;
    return $self->{bsums};
}

########################################################################
package GgmlBlock::Tq10;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{qs} = [];
    my $n_qs = 48;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u1();
    }
    $self->{qh} = [];
    my $n_qh = 4;
    for (my $i = 0; $i < $n_qh; $i++) {
        push @{$self->{qh}}, $self->{_io}->read_u1();
    }
    $self->{d} = $self->{_io}->read_u2le();
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

sub qh {
    my ($self) = @_;
    return $self->{qh};
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

########################################################################
package GgmlBlock::Tq20;

our @ISA = 'IO::KaitaiStruct::Struct';

sub from_file {
    my ($class, $filename) = @_;
    my $fd;

    open($fd, '<', $filename) or return undef;
    binmode($fd);
    return new($class, IO::KaitaiStruct::Stream->new($fd));
}

sub new {
    my ($class, $_io, $_parent, $_root) = @_;
    my $self = IO::KaitaiStruct::Struct->new($_io);

    bless $self, $class;
    $self->{_parent} = $_parent;
    $self->{_root} = $_root;

    $self->_read();

    return $self;
}

sub _read {
    my ($self) = @_;

    $self->{qs} = [];
    my $n_qs = 64;
    for (my $i = 0; $i < $n_qs; $i++) {
        push @{$self->{qs}}, $self->{_io}->read_u1();
    }
    $self->{d} = $self->{_io}->read_u2le();
}

sub qs {
    my ($self) = @_;
    return $self->{qs};
}

sub d {
    my ($self) = @_;
    return $self->{d};
}

1;
