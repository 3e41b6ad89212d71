import com.cloudhopper.smpp.*;
import com.cloudhopper.smpp.impl.DefaultSmppServer;
import com.cloudhopper.smpp.impl.DefaultSmppSessionHandler;
import com.cloudhopper.smpp.pdu.*;
import com.cloudhopper.smpp.tlv.Tlv;
import com.cloudhopper.smpp.type.Address;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** An SMSC of cloudhopper-smpp: takes every bind and submit, reports nothing by itself, and knows each message as delivered when asked. */
public final class CloudhopperSmsc {
    private static final AtomicInteger ids = new AtomicInteger();
    private static final byte delivered = 2;

    public static void main(String[] args) throws Exception {
        SmppServerConfiguration configuration = new SmppServerConfiguration();
        configuration.setPort(Integer.parseInt(args[0]));
        configuration.setSystemId("cloudhopper");
        configuration.setBindTimeout(10_000);
        new DefaultSmppServer(configuration, new Binds()).start();
        Told.line("listening");
    }

    private static final class Binds implements SmppServerHandler {
        @Override
        public void sessionBindRequested(Long id, SmppSessionConfiguration session, BaseBind bind) {
            Address range = bind.getAddressRange();
            Told.line("bind", "type", session.getType().name(), "systemId", bind.getSystemId(), "password", bind.getPassword(),
                "ton", String.valueOf(range.getTon()), "npi", String.valueOf(range.getNpi()));
        }

        @Override
        public void sessionCreated(Long id, SmppServerSession session, BaseBindResp answer) {
            session.serverReady(new Requests());
            if (session.getBindType() == SmppBindType.RECEIVER) new Thread(() -> deliver(session)).start();
        }

        @Override
        public void sessionDestroyed(Long id, SmppServerSession session) {
            session.destroy();
        }
    }

    private static void deliver(SmppServerSession session) {
        try {
            DeliverSm text = new DeliverSm();
            text.setSourceAddress(new Address((byte) 1, (byte) 1, "989121234567"));
            text.setDestAddress(new Address((byte) 3, (byte) 0, "3000"));
            text.setShortMessage("from a phone".getBytes(StandardCharsets.US_ASCII));
            var answer = session.sendRequestPdu(text, 10_000, true);
            if (answer.await() && answer.isSuccess() && answer.getResponse().getCommandStatus() == 0) Told.line("delivered");
            else Told.line("failed", "words", "the delivery was refused");
        } catch (Exception failure) {
            Told.line("failed", "words", String.valueOf(failure.getMessage()));
        }
    }

    private static final class Requests extends DefaultSmppSessionHandler {
        @Override
        public PduResponse firePduRequestReceived(PduRequest request) {
            if (request instanceof SubmitSm submit) return submitted(submit);
            if (request instanceof QuerySm query) return queried(query);
            return request.createResponse();
        }

        private static PduResponse submitted(SubmitSm submit) {
            List<Tlv> parameters = submit.getOptionalParameters() == null ? List.of() : submit.getOptionalParameters();
            String tlvs = parameters.stream().map(one -> Told.tlv(one.getTag(), one.getValue())).collect(Collectors.joining(" "));
            Told.line("submit", "source", submit.getSourceAddress().getAddress(), "destination", submit.getDestAddress().getAddress(),
                "registeredDelivery", String.valueOf(submit.getRegisteredDelivery()), "text", Told.hex(submit.getShortMessage()),
                "tlvs", tlvs);
            SubmitSmResp answer = submit.createResponse();
            answer.setMessageId("c" + ids.incrementAndGet());
            return answer;
        }

        private static PduResponse queried(QuerySm query) {
            Told.line("query", "id", query.getMessageId(), "source", query.getSourceAddress().getAddress());
            QuerySmResp answer = query.createResponse();
            answer.setMessageId(query.getMessageId());
            answer.setFinalDate("260105120000000+");
            answer.setMessageState(delivered);
            return answer;
        }
    }
}
